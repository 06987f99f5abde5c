import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import type { App } from '../../app.ts'
import { checkGuide } from '../../guide/check.ts'
import type { Content } from '../../guide/content.ts'
import { isLeftOut } from '../../guide/document-path.ts'
import { isProblem } from '../../guide/documents/document.ts'
import { getContent } from '../../guide/tools/get-content.ts'
import { type CommandContext, type RegisterCommand, UsageError } from '../command-context.ts'
import { editText } from '../edit-text.ts'
import { table, titled } from '../table.ts'
import { toolCommand } from '../tool-command.ts'

interface Options {
  readonly json?: boolean
}

export const registerGuide: RegisterCommand = (program, context) => {
  const guide = program
    .command('guide')
    .description('the house rules: list, show, edit and check them')
    .option('--json', 'as JSON')
  const run = (work: (app: App, options: Options) => Promise<void>) => (command: Command) =>
    context.withApp(command, (app) => work(app, command.optsWithGlobals<Options>()))

  guide.action((_options, command) => run((app, options) => list(app, context, options))(command))
  guide
    .command('list')
    .description('the documents, and which layer each comes from')
    .action((_options, command) => run((app, options) => list(app, context, options))(command))
  toolCommand<Content>(guide, context, {
    name: 'show',
    tool: getContent,
    positional: ['expression...'],
    joinedBy: ',',
    lines: (content) => contentLines(content, context),
  })
  guide
    .command('edit <document>')
    .description('change a document in $EDITOR; one that came with Secretary is copied first')
    .action((path: string, _options, command) => run((app) => edit(app, context, path))(command))
  guide
    .command('trust')
    .description('trust the .guide folder of this project, after showing what is in it')
    .option('--revoke', 'stop trusting it')
    .action((options: { revoke?: boolean }, command) =>
      run((app) => trust(app, context, options.revoke ?? false))(command),
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
    .description('take the copy back')
    .action((path: string, space: string, _options, command) =>
      run(async ({ guide: { documentSharing }, localCaller }) => {
        await documentSharing.unshare(localCaller, path, space)
        context.terminal.print(`${space} no longer has ${path}`)
      })(command),
    )
  guide
    .command('check')
    .description('broken documents and includes, unknown flags, duplicate names')
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
  for (const { document, error } of problems) terminal.note(`${document}: ${error}`)
  if (total === 0) terminal.note('Nothing found')
  if (next_offset !== undefined) terminal.note(`… and more: --offset ${next_offset}`)
  return content ? [content] : []
}

async function trust(app: App, { terminal }: CommandContext, isOver: boolean): Promise<void> {
  const { project } = app.localCaller
  const { shelf } = await app.guide.open(app.localCaller)
  app.guide.trusted.set(project, !isOver)
  for (const path of isOver ? [] : shelf.untrusted) terminal.print(`.guide/${path}`)
  terminal.print(
    isOver
      ? `The .guide folder of ${project} is no longer trusted`
      : `The .guide folder of ${project} is trusted; \`secretary guide trust --revoke\` undoes this`,
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
