import { describe, expect, it } from 'vitest'
import type { DocumentFile } from './documents/document.ts'
import type { Project } from './project/project.ts'
import { parseExpression, select } from './select.ts'

const paths = [
  'a/one.md',
  'a/two.md',
  'a/deep/one.md',
  'a/_part.md',
  'a/_hidden/x.md',
  'b/one.md',
  'b/three.txt',
  'b/tpl.md.mustache',
]

function project(collections: Record<string, string[]>): Project {
  const files = paths.map(
    (path): DocumentFile => ({ path, layer: 'user', absolute: `/${path}`, root: '/' }),
  )
  const category = (name: string, patterns = ['**/*']) =>
    [name, { name, dir: name, patterns, description: '', isDefault: true }] as const
  return {
    key: 'k',
    name: 'n',
    path: '/n',
    shelf: {
      files,
      untrusted: [],
      untrustedFiles: [],
      topFolders: ['a', 'b'],
      find: () => undefined,
      read: ({ path }) => ({ document: path, error_type: 'not_found', error: 'x' }),
      peek: ({ path }) => ({ document: path, error_type: 'not_found', error: 'x' }),
    },
    categories: new Map([category('a'), category('b', ['one'])]),
    collections: new Map(
      Object.entries(collections).map(([name, categories]) => [
        name,
        { name, categories, description: '', isDefault: false },
      ]),
    ),
    defaults: { category: new Set(), collection: new Set() },
    flags: {},
    projectFlags: {},
    globalFlags: {},
    profiles: [],
    detected: [],
  }
}

const chosen = async (expression: string, collections: Record<string, string[]> = {}) => {
  const { selected, problems } = select(parseExpression(expression), project(collections))
  return { paths: selected.map(({ file }) => file.path), problems }
}

describe('select', () => {
  it.each([
    ['a/one', ['a/one.md']],
    ['a/ONE', ['a/one.md']],
    ['a/*', ['a/one.md', 'a/two.md', 'a/deep/one.md']],
    ['a/*.md', ['a/one.md', 'a/two.md']],
    ['a/deep', ['a/deep/one.md']],
    ['a/**/one', ['a/one.md', 'a/deep/one.md']],
    ['b', ['b/one.md']],
    ['b/*', ['b/one.md', 'b/three.txt', 'b/tpl.md.mustache']],
    ['b/tpl', ['b/tpl.md.mustache']],
    ['a/_part', []],
    ['a/_hidden/x', []],
    ['a/two+one', ['a/two.md', 'a/one.md']],
  ])('finds for %j', async (expression, expected) => {
    expect((await chosen(expression)).paths).toEqual(expected)
  })

  it('ends in a cycle, whose documents come all the same', async () => {
    const { paths: found, problems } = await chosen('x', { x: ['y', 'a/one'], y: ['x', 'b'] })
    expect(found).toEqual(['b/one.md', 'a/one.md'])
    expect(problems).toEqual([])
  })

  it('takes the category where a collection names itself', async () => {
    expect((await chosen('a', { a: ['a/one', 'b'] })).paths).toEqual(['a/one.md', 'b/one.md'])
  })

  it('ends in a maze of collections that name each other many times over', async () => {
    const names = Array.from({ length: 40 }, (_, place) => `c${place}`)
    const maze = Object.fromEntries(
      names.map((name, place) => [
        name,
        [...names.slice(place + 1), ...names.slice(place + 1), 'a/one'],
      ]),
    )
    expect((await chosen('c0', maze)).paths).toEqual(['a/one.md'])
  })

  it('tells of a part of a collection that leads nowhere and goes on', async () => {
    const { paths: found, problems } = await chosen('x', { x: ['gone/y', 'a/one'] })
    expect(found).toEqual(['a/one.md'])
    expect(problems).toMatchObject([{ document: 'x', error_type: 'not_found' }])
  })
})
