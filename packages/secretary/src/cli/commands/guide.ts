import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { environment } from '@secretary-mcp/core/config/environment.ts'
import { Failure } from '@secretary-mcp/core/failure.ts'
import { quoteLine } from '@secretary-mcp/core/quote.ts'
import type { Command } from 'commander'
import type { App } from '../../app/app.ts'
import { checkGuide } from '../../guide/check.ts'
import type { Content } from '../../guide/content.ts'
import { isProblem } from '../../guide/documents/document.ts'
import { isLeftOut } from '../../guide/names.ts'
import { getContent } from '../../guide/tools/get-content.ts'
import { useProfile } from '../../guide/tools/use-profile.ts'
import type { ReviewedDocument } from '../../guide/trust-review.ts'
import { type CommandContext, type RegisterCommand, UsageError } from '../command-context.ts'
import { openQuestions } from '../questions.ts'
import { table, titled } from '../table.ts'
import { oneLine, type Terminal } from '../terminal.ts'
import { toolCommand } from '../tool-command.ts'
import { askScope, rulePath, rulesLines, shownRules, writeRule } from './guide-new.ts'

interface Options {
  readonly json?: boolean
}

interface TrustOptions extends Options {
  readonly yes?: boolean
  readonly seen?: string
  readonly revoke?: boolean
}

interface NewOptions {
  readonly for?: string
  readonly text?: string
}

const MAX_SHOWN_LINES = 400

export const registerGuide: RegisterCommand = (program, context) => {
  const guide = program
    .command('guide')
    .description('list, show, edit and check the house rules')
    .option('--json', 'as JSON')
  const run = (work: (app: App, options: Options) => Promise<void>) => (command: Command) =>
    context.withApp(command, (app) => work(app, command.optsWithGlobals<Options>()))

  guide.action((_options, command) => run((app, options) => list(app, context, options))(command))
  guide
    .command('list')
    .description('list the documents, and the layer each comes from')
    .action((_options, command) => run((app, options) => list(app, context, options))(command))
  toolCommand<Content>(guide, context, {
    name: 'show',
    tool: getContent,
    positional: ['expression...'],
    joinedBy: ',',
    isText: true,
    lines: (content) => contentLines(content, context),
  })
  guide
    .command('new <name>')
    .description('write a rule in $EDITOR, for this project or for all; agents receive it at once')
    .option('--for <project|all>', 'whom it is for; asked on a terminal')
    .option('--text <text>', 'the rule itself, without an editor')
    .action((name: string, options: NewOptions, command) =>
      run((app) => writeNew(app, context, name, options))(command),
    )
  guide
    .command('rules')
    .description('show the rules that an agent of this project receives')
    .action((_options, command) =>
      run(async (app, { json }) => {
        const shown = await shownRules(app)
        if (json) return context.terminal.print(JSON.stringify(shown))
        context.terminal.list(rulesLines(shown, context.terminal))
      })(command),
    )
  toolCommand(guide, context, {
    name: 'use',
    tool: useProfile,
    positional: ['name'],
    description: 'choose a profile of starter rules for this project',
    hints: { not_found: '`secretary guide rules` names those that fit' },
    lines: async (_added, app) => rulesLines(await shownRules(app), context.terminal),
  })
  guide
    .command('edit <document>')
    .description('change a document in $EDITOR; one that came with Secretary is copied first')
    .action((path: string, _options, command) => run((app) => edit(app, context, path))(command))
  guide
    .command('trust')
    .description(
      'trust the documents in .guide as they are now, after showing what is new or changed',
    )
    .option('--yes', 'trust them without asking')
    .option('--seen <version>', 'only if they are still what --json showed')
    .option('--revoke', 'stop trusting them')
    .action((options: TrustOptions, command) =>
      run((app, { json }) => trust(app, context, { ...options, json }))(command),
    )
  guide
    .command('share <document> <space>')
    .description('give a space a copy of a document; sharing it again brings the copy up to date')
    .action((path: string, space: string, _options, command) =>
      run(async ({ guide: { documentSharing }, localCaller }) => {
        await documentSharing.share(localCaller, path, space)
        context.terminal.print(`${space} has a copy of ${path}: \`secretary guide show spaces\``)
      })(command),
    )
  guide
    .command('unshare <document> <space>')
    .description('take back the copy that a space has')
    .action((path: string, space: string, _options, command) =>
      run(async ({ guide: { documentSharing }, localCaller }) => {
        await documentSharing.unshare(localCaller, path, space)
        context.terminal.print(`${space} no longer has ${path}`)
      })(command),
    )
  guide
    .command('check')
    .description('find broken documents and includes, unknown flags, duplicate names')
    .action((_options, command) => run((app, options) => check(app, context, options))(command))
}

async function list(app: App, { terminal }: CommandContext, options: Options): Promise<void> {
  const { shelf } = await app.guide.open(app.localCaller)
  const rows = shelf.files
    .filter(({ path }) => !isLeftOut(path))
    .map((file) => {
      const read = shelf.read(file)
      return {
        path: file.path,
        layer: file.layer as string,
        description: isProblem(read) ? `broken: ${read.error}` : (read.description ?? ''),
      }
    })
  const untrusted = shelf.untrusted.map((path) => ({
    path,
    layer: 'untrusted',
    description: '',
  }))
  rows.push(...untrusted)
  if (options.json) return terminal.print(JSON.stringify(rows))
  const cells = rows.map(({ path, layer, description }) => [
    terminal.style('cyan', path),
    layer,
    description,
  ])
  terminal.list(
    table(titled(terminal, ['DOCUMENT', 'FROM', 'WHAT IT SAYS'], cells), {
      columns: terminal.columns,
      spare: [1],
    }),
  )
  if (untrusted.length > 0)
    terminal.note('Untrusted documents are left out. Read them, then run `secretary guide trust`.')
}

function contentLines(
  { content, problems = [], total, next_offset }: Content,
  { terminal }: CommandContext,
): string[] {
  for (const { document, error } of problems) terminal.note(oneLine(`${document}: ${error}`))
  if (total === 0) terminal.note('Nothing found')
  if (next_offset !== undefined) terminal.note(`… and more: --offset ${next_offset}`)
  return content ? [content] : []
}

async function trust(
  app: App,
  { terminal }: CommandContext,
  { yes, seen, revoke, json }: TrustOptions,
): Promise<void> {
  const { project } = app.localCaller
  const { trusted } = app.guide
  if (revoke) {
    trusted.revoke(project)
    return terminal.print(`The .guide folder of ${project} is no longer trusted`)
  }
  const { documents, version } = await app.guide.reviewDocuments(app.localCaller)
  const shown = documents.map(({ path, state, change }) => ({ path, state, change }))
  if (json) return terminal.print(JSON.stringify({ documents: shown, version }))
  if (documents.length === 0)
    return terminal.print(
      trusted.has(project)
        ? `The .guide folder of ${project} is trusted as it is`
        : `${project} has no documents in .guide`,
    )
  if (seen !== undefined && seen !== version)
    throw new Failure(
      'changed_meanwhile',
      'These rules have changed since you saw them; read them again before you trust them',
    )
  for (const document of shown) for (const line of reviewLines(document)) terminal.print(line)
  if (!yes && !(await isAgreed(terminal))) {
    process.exitCode = 1
    return terminal.note('Nothing was trusted. `secretary guide trust --yes` trusts all of it.')
  }
  trusted.trust(project, documents)
  terminal.print(
    `The .guide folder of ${project} is trusted; \`secretary guide trust --revoke\` undoes this`,
  )
}

function reviewLines({ path, state, change }: Omit<ReviewedDocument, 'digest' | 'text'>): string[] {
  const lines = change.split('\n')
  const left = lines.length - MAX_SHOWN_LINES
  return [
    `.guide/${quoteLine(path)} (${state === 'new' ? 'new' : 'changed since you trusted it'})`,
    ...lines.slice(0, MAX_SHOWN_LINES).map((line) => `  ${line}`),
    ...(left > 0 ? [`  … and ${left} more lines, in the file itself`] : []),
  ]
}

async function isAgreed(terminal: Terminal): Promise<boolean> {
  if (!terminal.interactive) return false
  const questions = openQuestions()
  const agreed = await questions.isAgreed('Let agents follow these documents? [y/N] ')
  questions.close()
  return agreed
}

async function writeNew(
  app: App,
  { terminal }: CommandContext,
  name: string,
  options: NewOptions,
): Promise<void> {
  const path = rulePath(name)
  const scope = await askScope(options.for, terminal)
  const save = async (text: string) => {
    const written = await writeRule(app, scope, path, text)
    terminal.print(`Wrote ${written}`)
    terminal.list(rulesLines(await shownRules(app), terminal))
  }
  if (options.text !== undefined) return save(`${options.text.trim()}\n`)
  const before = `---\ntype: agent/instruction\ndescription: \n---\n# ${name}\n`
  await editText(before, async (after) =>
    after === before ? terminal.note('Nothing was written') : save(after),
  )
}

async function edit(app: App, { terminal }: CommandContext, path: string): Promise<void> {
  const { shelf } = await app.guide.open(app.localCaller)
  const file = shelf.find(path)
  if (file?.layer === 'project')
    throw new UsageError(`${file.path} belongs to the project: edit .guide/${file.path} itself`)
  const before = file
    ? readFileSync(file.absolute, 'utf8')
    : `---\ntype: agent/instruction\ndescription: \n---\n# ${path}\n`
  await editText(before, async (after) => {
    if (after === before) return terminal.note('Nothing was changed')
    const save = file
      ? app.guide.updateDocument(app.localCaller, file.path, after)
      : app.guide.createDocument(app.localCaller, path, after)
    terminal.print((await save).message ?? 'Saved')
  })
}

async function check(app: App, { terminal }: CommandContext, options: Options): Promise<void> {
  const project = await app.guide.open(app.localCaller)
  const findings = checkGuide(project)
  if (options.json) terminal.print(JSON.stringify(findings))
  else if (findings.length === 0)
    terminal.print(`${project.shelf.files.length} documents, no problems`)
  else
    for (const line of table(findings.map(({ document, kind, text }) => [document, kind, text])))
      terminal.print(line)
  if (findings.length > 0) process.exitCode = 1
}

/** Lets a person change a text in their editor. Where saving fails, what they wrote is kept and they are told where. */
async function editText(text: string, save: (edited: string) => Promise<void>): Promise<void> {
  const { VISUAL, EDITOR } = environment()
  const [program, ...args] = (VISUAL || EDITOR || '').split(/\s+/).filter(Boolean)
  if (program === undefined)
    throw new UsageError('Set EDITOR to the editor to use, such as EDITOR=nano')
  const folder = mkdtempSync(join(tmpdir(), 'secretary-edit-'))
  const path = join(folder, 'document.md')
  writeFileSync(path, text, { mode: 0o600 })
  if (!(await succeeds(program, [...args, path]))) {
    rmSync(folder, { recursive: true, force: true })
    throw new UsageError(`${program} failed; nothing was changed`)
  }
  try {
    await save(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new UsageError(
      `${error instanceof Error ? error.message : String(error)}\nWhat you wrote is kept in ${path}`,
    )
  }
  rmSync(folder, { recursive: true, force: true })
}

function succeeds(program: string, args: readonly string[]): Promise<boolean> {
  const editor = spawn(program, args, { stdio: 'inherit' })
  return new Promise((resolve) => {
    editor.once('exit', (code) => resolve(code === 0))
    editor.once('error', () => resolve(false))
  })
}
