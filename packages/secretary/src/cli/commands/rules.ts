import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { quoteLine } from '@secretary-mcp/core/quote.ts'
import type { Command } from 'commander'
import type { App } from '../../app/app.ts'
import { momentOf } from '../../find/find.ts'
import { isProblem, MAX_DOCUMENT_SIZE } from '../../guide/documents/document.ts'
import { parseDocument } from '../../guide/documents/parse-document.ts'
import type { WatchBlock } from '../../guide/documents/watch-block.ts'
import {
  type History,
  type HistoryCase,
  type HookAnswer,
  objectionAnswer,
  ruleFrom,
  type WatchedRule,
} from '../../rules/watched-rules.ts'
import { type CommandContext, type RegisterCommand, UsageError } from '../command-context.ts'
import { day, shownSessionIds } from '../dialog-words.ts'
import { failOpen, readHookCall } from '../hook.ts'
import type { Terminal } from '../terminal.ts'

interface Options {
  readonly json?: boolean
  readonly since?: string
}

const never = new AbortController().signal

/** `secretary rules`, `rules test RULE`, and the hook that watches. */
export const registerRules: RegisterCommand = (program, context) => {
  const group = program
    .command('rules')
    .description('rules that are watched: how they fared, and what they would say')
  group
    .command('list', { isDefault: true })
    .description('list the watched rules of this project, with how often each was kept and broken')
    .option('--since <age>', 'only since then: 90d, 8w or 2026-11-01', '90d')
    .option('--json', 'print JSON')
    .action((options: Options, command: Command) =>
      context.withApp(command, (app) => list(app, context, options)),
    )
  group
    .command('test')
    .description('replay a rule over what agents did in this project, whichever agent it was')
    .argument('<rule>', 'the name of a rule, or a Markdown file with a `watch` block')
    .option('--since <age>', 'only since then: 90d, 8w or 2026-11-01')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  secretary rules test my-rule.md --since 90d')
    .action((rule: string, options: Options, command: Command) =>
      context.withApp(command, (app) => test(app, context, rule, options)),
    )
  group
    .command('suggest')
    .description("rules that the project's own files for agents state and that can be watched")
    .option('--json', 'print JSON')
    .action((options: Options, command: Command) =>
      context.withApp(command, (app) => suggest(app, context, options)),
    )
  group
    .command('watch')
    .description('act as the hook that an agent runs before it uses a tool')
    .requiredOption('--hook', 'read the call from standard input, answer on standard output')
    .option('--form <agent>', 'the form of the answer: claude, copilot', 'claude')
    .action((options: { form: string }, command: Command) => watch(context, options.form, command))
}

async function list(app: App, { terminal }: CommandContext, options: Options): Promise<void> {
  const rules = await app.rules()
  const watched = await rules.list(app.localCaller)
  const since = sinceFrom(options.since)
  const histories: History[] = []
  for (const rule of watched)
    histories.push(await rules.test(app.localCaller, rule, { since }, never))
  const rows = watched.map(({ name, title, watch }, at) => {
    const { applied = 0, kept = 0, broken = 0 } = histories[at] ?? {}
    return { rule: name, title, on: watch.on, action: watch.then, applied, kept, broken }
  })
  if (options.json) return terminal.print(JSON.stringify({ rules: rows }, null, 2))
  if (rows.length === 0)
    return terminal.note(
      'No rule is watched. `secretary guide edit NAME` writes one: its front matter needs a `watch` block.',
    )
  for (const { rule, title, action, applied, kept, broken } of rows)
    terminal.print(
      `${terminal.style('cyan', quoteLine(rule))}  ${quoteLine(title)}  (${action}) applied ${applied}, kept ${kept}, broken ${broken}`,
    )
}

async function test(
  app: App,
  { terminal }: CommandContext,
  given: string,
  options: Options,
): Promise<void> {
  const rules = await app.rules()
  const rule = await ruleNamed(given, await rules.list(app.localCaller))
  const since = sinceFrom(options.since)
  const history = await rules.test(app.localCaller, rule, { since }, never)
  if (options.json) return terminal.print(JSON.stringify(history, null, 2))
  if (history.note) terminal.note(history.note)
  const shownId = await shownSessionIds(app, terminal)
  terminal.list([
    ...history.cases
      .filter(({ verdict }) => verdict === 'broken')
      .flatMap((one) => caseLines(one, shownId(one.sessionId), terminal)),
    `${quoteLine(history.rule)}: applied ${history.applied}, kept ${history.kept}, broken ${history.broken}`,
  ])
}

function caseLines(
  { timestamp, index, request, missing, forbidden, corrected }: HistoryCase,
  session: string,
  { style }: Terminal,
): string[] {
  const what = [
    ...missing.map((command) => `did not run ${command}`),
    ...forbidden.map((command) => `did ${command}`),
  ].join(', ')
  return [
    `${day(timestamp)}  ${style('red', 'broken')}  ${quoteLine(what)}  (${session} #${index})`,
    ...(request ? [`    ${quoteLine(request)}`] : []),
    ...(corrected ? [`    corrected: ${quoteLine(corrected)}`] : []),
  ]
}

async function suggest(app: App, { terminal }: CommandContext, options: Options): Promise<void> {
  const suggested = await (await app.rules()).suggest(app.localCaller, never)
  if (options.json) return terminal.print(JSON.stringify({ suggested }, null, 2))
  if (suggested.length === 0)
    return terminal.note('No file of this project states a rule that can be watched.')
  for (const { file, line, text, watch, applied, broken } of suggested)
    terminal.print(
      [
        `${terminal.style('cyan', `${quoteLine(file)}:${line}`)}  ${quoteLine(text)}`,
        ...blockLines(watch).map((one) => `    ${one}`),
        `    in your dialogs so far: applied ${applied}, broken ${broken}`,
        '',
      ].join('\n'),
    )
  terminal.print(
    'To watch one, put its block into the front matter of a document: `secretary guide edit guidelines/NAME.md`',
  )
}

/** As it stands in the front matter. */
function blockLines({ on, files, require, forbid, unless }: WatchBlock): string[] {
  const list = (name: string, entries: readonly string[]) =>
    entries.length > 0 ? [`  ${name}: ${JSON.stringify(entries)}`] : []
  return [
    'watch:',
    `  on: ${on}`,
    ...list('files', files),
    ...list('require', require),
    ...list('forbid', forbid),
    ...(unless.asked ? ['  unless: {asked: true}'] : []),
  ]
}

async function ruleNamed(
  given: string,
  watched: readonly WatchedRule[],
): Promise<Pick<WatchedRule, 'name' | 'watch'>> {
  const named = watched.filter(
    ({ name }) => name === given.replace(/\.md$/, '') || basename(name) === given,
  )
  const [known] = named
  if (known && named.length === 1) return known
  if (named.length > 1)
    throw new UsageError(
      `Several rules have this name: ${named.map(({ name }) => name).join(', ')}`,
    )
  if (!existsSync(given) || !statSync(given).isFile())
    throw new UsageError(
      `There is no watched rule and no file named ${quoteLine(given)}; \`secretary rules\` lists the rules`,
    )
  if (statSync(given).size > MAX_DOCUMENT_SIZE)
    throw new UsageError(`${quoteLine(given)} is larger than a document may be`)
  const { parseYaml } = await import('../../guide/documents/yaml.ts')
  const name = basename(given)
  const document = parseDocument(
    { path: name, layer: 'user' },
    readFileSync(given, 'utf8').replace(/^\uFEFF/, ''),
    parseYaml,
  )
  if (isProblem(document)) throw new UsageError(`${quoteLine(given)}: ${document.error}`)
  const rule = ruleFrom(document)
  if (!rule) throw new UsageError(`${quoteLine(given)} has no \`watch\` block in its front matter`)
  return rule
}

function sinceFrom(time: string | undefined): number {
  const moment = time === undefined ? 0 : momentOf(time, Date.now())
  if (moment === undefined)
    throw new UsageError(`--since: “${quoteLine(time ?? '')}” is no time; try 7d, 2w or 2026-11-01`)
  return moment
}

/** A hook that fails or takes too long lets the call pass. */
async function watch(context: CommandContext, form: string, command: Command): Promise<void> {
  failOpen(context, command)
  const { sessionId, project, tool, input, cwd } = await readHookCall(process.stdin)
  if (tool === undefined) return
  const overrides = {
    ...(sessionId ? { session: sessionId } : {}),
    ...(project && !command.optsWithGlobals().project ? { project } : {}),
  }
  try {
    const answer = await context.withMemory(
      command,
      (app): Promise<HookAnswer | undefined> =>
        app.boundary.perform('rules hook', app.localCaller, async () => {
          const rules = await app.rules()
          const pending = { tool, input, ...(cwd === undefined ? {} : { cwd }) }
          return objectionAnswer(await rules.before(app.localCaller, pending, never), form)
        }),
      overrides,
    )
    if (answer) context.terminal.print(JSON.stringify(answer))
  } catch (error) {
    context.terminal.note(error instanceof Error ? error.message : String(error))
  }
}
