import { isReadableCommand } from '@secretary-mcp/transcripts/deeds/runs/command-pattern.ts'
import * as z from 'zod'
import { patternFault } from '../glob.ts'

const MAX_ENTRIES = 50
const MAX_LENGTH = 200

export const WATCH_EVENTS = ['commit', 'push', 'edit', 'command', 'stop', 'start'] as const

const glob = z.string().superRefine((given, context) => {
  const fault = patternFault(given)
  if (fault) context.addIssue(fault)
})
const command = z
  .string()
  .max(MAX_LENGTH, `A command has at most ${MAX_LENGTH} characters`)
  .refine(
    isReadableCommand,
    'A command is one program with its words, without pipes, variables and quotes',
  )
const listOf = <Entry extends z.ZodType>(entry: Entry) =>
  z.array(entry).max(MAX_ENTRIES, `A list has at most ${MAX_ENTRIES} entries`).default([])

/** A path if it names a folder or has a star in it and no blank; a command otherwise. */
export function isPathPattern(entry: string): boolean {
  return /[/*]/.test(entry) && !/\s/.test(entry)
}

const watchSchema = z
  .strictObject({
    on: z.enum(WATCH_EVENTS),
    files: listOf(glob),
    require: listOf(command),
    forbid: listOf(
      z.string().superRefine((given, context) => {
        const result = (isPathPattern(given) ? glob : command).safeParse(given)
        for (const { message } of result.error?.issues ?? []) context.addIssue(message)
      }),
    ),
    unless: z.strictObject({ asked: z.boolean().default(false) }).default({ asked: false }),
    // biome-ignore lint/suspicious/noThenProperty: the word that people write in a rule
    then: z.enum(['tell', 'ask', 'deny']).default('tell'),
  })
  .superRefine(({ on, files, require, forbid, unless, then }, context) => {
    if (require.length + forbid.length === 0)
      context.addIssue('it needs `require` or `forbid`: otherwise nothing can break it')
    if (require.length > 0 && on === 'command')
      context.addIssue('`require` does not go with `on: command`: say `forbid`')
    if (forbid.length > 0 && (on === 'start' || on === 'stop'))
      context.addIssue(
        `\`forbid\` does not go with \`on: ${on}\`: say \`on: command\` or \`on: edit\``,
      )
    if (files.length > 0 && on === 'start') context.addIssue('`files` does not go with `on: start`')
    if (on === 'command' && forbid.some(isPathPattern))
      context.addIssue('paths in `forbid` go with `on: edit`, `commit` or `push`')
    if (on === 'edit' && forbid.some((entry) => !isPathPattern(entry)))
      context.addIssue('commands in `forbid` go with `on: command`, `commit` or `push`')
    if (unless.asked && forbid.length === 0)
      context.addIssue('`unless: {asked: true}` needs `forbid`')
    if (on === 'start' && then !== 'tell')
      context.addIssue('a start can only be told of: `then: tell`')
  })

/** What a rule watches: a small closed vocabulary, no code. */
export type WatchBlock = z.infer<typeof watchSchema>

/** The block, or exactly what is wrong with it. */
export function parseWatchBlock(given: unknown): { block: WatchBlock } | { fault: string } {
  if (given === null || typeof given !== 'object' || Array.isArray(given))
    return { fault: 'watch must be a map with `on` and `require` or `forbid`' }
  const parsed = watchSchema.safeParse(given)
  if (parsed.success) return { block: parsed.data }
  const [issue] = parsed.error.issues
  const path = issue?.path.join('.')
  return { fault: `watch${path ? `.${path}` : ''}: ${issue?.message ?? 'it cannot be read'}` }
}
