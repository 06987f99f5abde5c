import { describe, expect, it } from 'vitest'
import { FrontMatterError, splitFrontMatter } from './front-matter.ts'
import { parseYaml } from './yaml.ts'

const split = (source: string) => splitFrontMatter(source, parseYaml)

describe('front matter', () => {
  it('reads every field and leaves the body', () => {
    const { front, body } = split(
      '---\ntype: user/information\ninstruction: ^Stop.\nrequires-team: [web]\nrequires-strict: true\nincludes: a/b\napplies-to: "**/*.py"\ntags: [x]\n---\n\nBody\n',
    )
    expect(front).toMatchObject({
      type: 'user/information',
      instruction: 'Stop.',
      important: true,
      requires: { team: ['web'], strict: true },
      includes: ['a/b'],
      appliesTo: ['**/*.py'],
      tags: ['x'],
    })
    expect(body).toBe('Body\n')
  })

  it.each(['no front matter', '', '---', '--- not a fence\n---\n', 'x\n---\na: b\n---\n'])(
    'takes %j as a body alone',
    (source) => {
      expect(split(source)).toMatchObject({
        body: source,
        front: { type: 'agent/instruction', important: false },
      })
    },
  )

  it.each([
    '---\n---\nbody',
    '---\n# only a comment\n---\nbody',
    '---\r\ntype: agent/information\r\n---\r\nbody',
  ])('takes %j', (source) => {
    expect(split(source).body).toBe('body')
  })

  it.each([
    '---\n[\n---\n',
    '---\n- a\n---\n',
    '---\ntext\n---\n',
    '---\ntype: other\n---\n',
    '---\ninstruction: [a]\n---\n',
    '---\nincludes: [1]\n---\n',
    '---\nrequires-x: {a: {b: c}}\n---\n',
    '---\napplies-to: ../x\n---\n',
    `---\na: ${'x'.repeat(20_000)}\n---\n`,
    `---\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c]\n---\n`,
  ])('refuses %j', (source) => {
    expect(() => split(source)).toThrow(FrontMatterError)
  })
})
