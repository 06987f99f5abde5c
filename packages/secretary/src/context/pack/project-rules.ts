import { Failure } from '@secretary-mcp/core/failure.ts'
import { readProjectFile } from '../files/file-reader.ts'
import type { PackRule } from './pack-types.ts'

/** Files in which a project tells agents how to work on it. */
const FILES = ['AGENTS.md', 'CLAUDE.md']
const MIN_LENGTH = 20
const MAX_LENGTH = 300

/** What the project's own instructions say, an item of a list each; of a file without lists, each line of prose. */
export async function readProjectRules(project: string, signal: AbortSignal): Promise<PackRule[]> {
  const rules = new Map<string, PackRule>()
  // The one is often a copy of the other, or a link to it.
  for (const file of FILES)
    for (const text of await linesOf(project, file, signal))
      if (!rules.has(text)) rules.set(text, { text, from: file })
  return [...rules.values()]
}

async function linesOf(project: string, file: string, signal: AbortSignal): Promise<string[]> {
  const text = await readProjectFile(project, file, {}, signal).then(
    (read) => read.file.content,
    (error: unknown) => {
      if (error instanceof Failure) return ''
      throw error
    },
  )
  const prose = withoutComments(text.replace(/^(```|~~~).*?^\1/gms, ''))
  const items = [...prose.matchAll(/^[ \t]*(?:[-*+]|\d+[.)])[ \t]+(\S.*)$/gm)].map(
    ([, item = '']) => item,
  )
  const lines =
    items.length > 0 ? items : prose.split('\n').filter((line) => !/^\s*[#|>@]/.test(line))
  return lines
    .map((line) => line.replace(/\*\*|__/g, '').trim())
    .filter(({ length }) => length >= MIN_LENGTH && length <= MAX_LENGTH)
}

/** By their ends: a pattern would read on to the end of the text from every beginning. */
function withoutComments(text: string): string {
  let rest = ''
  let from = 0
  for (let start = text.indexOf('<!--'); start !== -1; start = text.indexOf('<!--', from)) {
    const end = text.indexOf('-->', start)
    rest += text.slice(from, start)
    if (end === -1) return rest
    from = end + 3
  }
  return rest + text.slice(from)
}
