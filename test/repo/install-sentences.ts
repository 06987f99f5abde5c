import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { registerInit } from '../../src/cli/commands/init.ts'

const END = /(?<=[.:?])\s+(?=[A-Z`*[])/

/** What the README says from its first line to the end of `From a checkout`, sentence by sentence; a row of the install table by its agent. */
export function readmeSentences(): string[] {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const [part = ''] = readme.split('\n## The page\n')
  const told = part
    .replace(/<!-- agents -->[\s\S]*<!-- \/agents -->/, '')
    .replace(/<!--.*?-->/g, '')
    .replace(/^#.*$/gm, '')
    .replace(/!\[(.*?)\]\(.*?\)/g, '$1')
    .replace(/^\| ([\w ]+) \|.*$/gm, '\n$1\n')
    .replace(/^\|[-|]+$/gm, '')
    .replace(/^- /gm, '\n')
  return told
    .split(/\n\n+|```/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .flatMap((paragraph) => paragraph.split(END))
    .filter((sentence) => /\w/.test(sentence) && sentence !== 'agent')
}

/** What `secretary init --help` says: its description, and each option. */
export function helpSentences(): string[] {
  const program = new Command('secretary')
  registerInit(program, {} as Parameters<typeof registerInit>[1])
  const [init] = program.commands
  const help = init?.createHelp()
  if (!init || !help) return []
  const options = help.visibleOptions(init).map(({ description }) => description)
  return [init.description(), ...options].map((one) =>
    one.replace(/(?<=only these): .*/, ' agents'),
  )
}
