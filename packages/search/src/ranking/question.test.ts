import { describe, expect, it } from 'vitest'
import { engineFor, filesFor } from '../../../../test/support/search-engine-house.ts'
import { messageIn, pastedShare } from './pasted-text.ts'
import { questionParts, readQuery, sharedTail, tracedPaths } from './query.ts'

const issue = `Saving a draft twice loses its labels
<!-- Please search for existing issues first -->
### Describe the bug
When I call \`saveDraft\` twice, the labels are gone.

\`\`\`python
import shop
shop.saveDraft(order)
\`\`\`

    Traceback (most recent call last):
      File "/usr/lib/python3/site-packages/shop/api.py", line 10, in save
      File "/usr/lib/python3/site-packages/shop/drafts/store.py", line 40, in write

### Versions
shop: 2.1
numpy: 1.20`

describe('a long question', () => {
  it('is taken apart into what it is about, prose, names and blocks', () => {
    const { title, prose, spans, blocks } = questionParts(issue)
    expect(title).toBe('Saving a draft twice loses its labels')
    expect(prose).toContain('the labels are gone')
    expect(prose).not.toMatch(/Describe the bug|existing issues|numpy/)
    expect(spans).toEqual(['saveDraft'])
    expect(blocks.join('\n')).toMatch(/import shop[\s\S]*Traceback/)
  })

  it('asks for the names in it, and knows its words by their place', () => {
    const { names, terms, isLong } = readQuery(issue)
    expect(isLong).toBe(true)
    expect(names).toContain('savedraft')
    expect(terms.get('label')).toBe(3)
    expect(terms.get('gone')).toBe(1)
    expect(terms.get('order')).toBeLessThan(1)
    expect(terms.has('numpi')).toBe(false)
  })

  it('is a short one on a single line', () => {
    expect(questionParts('how are drafts saved')).toEqual({
      title: 'how are drafts saved',
      prose: '',
      spans: [],
      blocks: [],
    })
    expect(readQuery('how are drafts saved').isLong).toBe(false)
  })
})

describe('files that a question names', () => {
  it('are the frames of a trace, the innermost first', () => {
    expect(tracedPaths(issue).map(({ path }) => path.split('/').slice(-2).join('/'))).toEqual([
      'drafts/store.py',
      'shop/api.py',
    ])
    expect(
      tracedPaths(
        'Error: no\n    at write (/app/src/store.ts:4:2)\n    at run (/app/src/main.ts:9:1)',
      ),
    ).toMatchObject([{ path: 'app/src/store.ts', weight: 1 }, { path: 'app/src/main.ts' }])
    expect(tracedPaths('at com.shop.Draft.save(Draft.java:12)')[0]?.path).toBe(
      'com/shop/Draft.java',
    )
    expect(tracedPaths('panicked at src\\drafts\\mod.rs:3:4')[0]?.path).toBe('src/drafts/mod.rs')
    expect(tracedPaths('how does res.send work')).toEqual([])
  })

  it('are compared from their ends', () => {
    expect(sharedTail('/usr/lib/shop/drafts/store.py', 'src/drafts/store.py')).toBe(2)
    expect(sharedTail('store.py', 'src/restore.py')).toBe(0)
  })
})

describe('pasted text', () => {
  const share = (pasted: string, content: string) => pastedShare(messageIn(pasted), content)
  const source = 'raise Invalid(f"Page size {size} must be between 1 and {most}, not less.")'

  it('stands in a file although placeholders were filled in', () => {
    expect(share('Page size 500 must be between 1 and 100, not less.', source)).toBeGreaterThan(2)
    expect(share('Page size of my books must be between 1 and so many, not less', source)).toBe(3)
    expect(share('Page size', source)).toBe(0)
    expect(
      share('Page size 500 must be less', 'the size of a page; less than 100 between both'),
    ).toBe(0)
  })

  it.each([
    ['printf("cannot open \'%s\' for writing: %d")', "cannot open 'my file.txt' for writing: 13"],
    ['_("Page %(title)s has been scheduled")', 'Page About us has been scheduled'],
    [
      'throw `Could not find $' + '{name} in $' + '{place}`',
      'Could not find blue shoes in the basket',
    ],
    ['Delete the badge layout {{ layout.name }} now?', 'Delete the badge layout Red and Gold now?'],
    ['"Address " + address + " was not created"', 'Address Main Street was not created'],
  ])('is whole with what was filled in: %s', (content, pasted) => {
    expect(share(pasted, content)).toBeGreaterThan(1)
  })

  it('counts most where all of it stands there, less in part', () => {
    const whole = share('the basket could not be saved', 'error("The basket could not be saved")')
    const part = share('the basket could not be saved', 'error("The basket could not be stored")')
    expect(whole).toBeGreaterThan(2)
    expect(part).toBeGreaterThan(0)
    expect(part).toBeLessThan(1)
  })

  it('is no question in a person’s own words, unless a program asks it', () => {
    expect(share('how is the page size checked', 'how the page size is checked today')).toBe(0)
    expect(
      share('Are you sure you want to delete this?', '"Are you sure you want to delete this?"'),
    ).toBeGreaterThan(1)
  })

  it('is not what placeholders alone make of it', () => {
    const braces = 'const { store } = use({ type }, { definition }, { dispatch }) // overloads'
    expect(share('store type definition and dispatch overloads', braces)).toBeLessThan(1)
  })
})

describe('searching with what was pasted', () => {
  const files = {
    'src/pages/paging.ts':
      'export function check(size: number) {\n  if (size > MAX) throw new Error("Page size " + size + " must be below " + MAX)\n}\n',
    'src/pages/page-size.ts': 'export const pageSize = { page: 1, size: 2, below: 3, must: 4 }\n',
    'src/size/page-must.ts': 'export function mustPage(size: number) { return size }\n',
    'src/drafts/store.ts': 'export function write(text: string) { return text }\n',
    'src/labels/labels.ts': 'export function draftLabels(draft: string) { return [draft] }\n',
  }

  it('finds the line that prints a message, not files that share its words', async () => {
    const { engine } = await engineFor({ files })
    await engine.index()
    const first = async (query: string) => (await filesFor(engine, query))[0]
    expect(await first('Error: Page size 500 must be below 100')).toBe('src/pages/paging.ts')
    expect(await first('Error: gone\n    at write (/app/src/drafts/store.ts:1:9)')).toBe(
      'src/drafts/store.ts',
    )
  })

  it('answers a long question at least as its title', async () => {
    const { engine } = await engineFor({ files })
    await engine.index()
    const title = 'The labels of a draft are lost'
    const noise = 'The page size must be below what is stated. '.repeat(60)
    expect((await filesFor(engine, title))[0]).toBe('src/labels/labels.ts')
    expect((await filesFor(engine, `${title}\n\n${noise}`))[0]).toBe('src/labels/labels.ts')
  })
})
