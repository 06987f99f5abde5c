import { describe, expect, it } from 'vitest'
import { findStatements, languageOfExtension } from './dependencies.ts'

const find = (extension: string, text: string) => {
  const language = languageOfExtension(extension)
  if (!language) throw new Error(`no language for ${extension}`)
  return findStatements(language.grammar, language.query, text)
}

describe('the imports of a file that is all imports or all errors', () => {
  it('are as many as anybody looks up', async () => {
    const { statements } = await find('.go', `package a\nimport (\n${'"a"\n'.repeat(5_000)})\n`)
    expect(statements.length).toBeLessThanOrEqual(2_000)
    expect(statements[0]).toEqual({ capture: 'statement', text: '"a"' })
  })

  it('are found once each in a file of many parts', async () => {
    const name = (n: number) => `./a${n}${'x'.repeat(1_000)}`
    const text = Array.from({ length: 200 }, (_, n) => `import '${name(n)}'\n`).join('')
    const { statements } = await find('.ts', text)
    expect(statements.map((one) => one.text)).toEqual(
      Array.from({ length: 200 }, (_, n) => `'${name(n)}'`),
    )
  })

  it('are not looked for in a long text that makes no sense', async () => {
    expect(await find('.cpp', 'template<'.repeat(20_000))).toEqual({ statements: [], errorLine: 1 })
  })

  it('are found behind characters of any width, and where an error follows', async () => {
    const found = await find('.ts', "// 猫🐈é\nimport a from './a.ts'\nconst = 2\n")
    expect(found.statements).toMatchObject([{ text: "'./a.ts'" }])
    expect(found.errorLine).toBe(3)
  })
})
