import { quoteLine } from '@secretary-mcp/core/quote.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { isProblem } from './documents/document.ts'
import type { Project } from './project/project.ts'
import { offerOf, viewOf } from './project/projects.ts'
import { activeProfiles } from './render-document.ts'
import { rulesInForce, untrustedProblem } from './select.ts'

/** What is left to do, from the family that keeps it. */
export type OpenTasks = (user: string) => Promise<
  readonly {
    readonly id: number
    readonly title: string
    readonly space?: string
    readonly owner?: string
  }[]
>

interface Context {
  readonly project: Project
  readonly caller: Caller
  readonly openTasks: OpenTasks
}

interface Command {
  readonly does: string
  run(context: Context): Promise<string> | string
}

const MAX_TASKS = 20

/** Commands of the prompt and of `guide://_…`: answers for people. */
const commands: Readonly<Record<string, Command>> = {
  help: { does: 'the available commands', run: help },
  status: { does: 'what is in force here', run: status },
  project: { does: 'the project, its categories and collections', run: projectText },
  flags: { does: 'the flags in effect here', run: flagsText },
  tasks: { does: 'what is left to do', run: tasksText },
}

export const commandNames: readonly string[] = Object.keys(commands)

export function findCommand(name: string): Command | undefined {
  return Object.hasOwn(commands, name) ? commands[name] : undefined
}

function help({ project }: Context): string {
  return [
    '# Guide',
    'Ask for documents by collection or category:',
    '- `@guide project` — the rules that fit this project',
    '- `@guide lang/python` — one document of a category',
    '- `@guide lang/python+go testing` — several at once',
    '',
    'Commands:',
    ...Object.entries(commands).map(([name, { does }]) => `- \`@guide :${name}\` — ${does}`),
    '',
    `Collections: ${namesOf(project.collections)}`,
    `Categories: ${namesOf(project.categories)}`,
  ].join('\n')
}

async function status({ project, caller, openTasks }: Context): Promise<string> {
  const [{ rules, total }, tasks] = await Promise.all([
    rulesInForce(project, 12),
    openTasks(caller.user),
  ])
  const broken = project.shelf.files.map((file) => project.shelf.read(file)).filter(isProblem)
  return [
    `# ${quoteLine(project.name)}`,
    `- Profiles: ${project.profiles.join(', ') || 'none chosen'}${project.detected.length > 0 ? ` (fits: ${project.detected.join(', ')})` : ''}`,
    `- Documents: ${viewOf(project).documents} in ${project.categories.size} categories; flags: ${Object.keys(project.flags).length}; open tasks: ${tasks.length}`,
    ...(broken.length > 0
      ? [
          `- Broken: ${broken
            .slice(0, 5)
            .map(({ document, error }) => quoteLine(`${document} (${error})`))
            .join('; ')}`,
        ]
      : []),
    ...untrustedProblem(project).map(({ error }) => `- Not trusted: ${error}`),
    '',
    total === 0
      ? 'No rule is in force: nobody has chosen or written one. `list_profiles` shows what fits, `use_profile` chooses it.'
      : `Rules in force (${total}):`,
    ...rules.map(({ title, line }) => `- ${quoteLine(title)}${line ? `: ${quoteLine(line)}` : ''}`),
    ...(total > rules.length ? [`- … and ${total - rules.length} more: \`@guide project\``] : []),
    '',
    offerOf(project) ?? `Active: ${activeProfiles(project).join(', ') || 'general guidelines'}.`,
  ].join('\n')
}

function projectText({ project }: Context): string {
  return [
    `# ${quoteLine(project.name)}`,
    `- Path: ${quoteLine(project.path)}`,
    `- Key: ${quoteLine(project.key)}`,
    `- Profiles: ${project.profiles.join(', ') || 'none chosen'}`,
    '',
    'Collections:',
    ...[...project.collections.values()].map(
      ({ name, categories }) => `- ${quoteLine(name)}: ${quoteLine(categories.join(', '))}`,
    ),
    '',
    'Categories:',
    ...[...project.categories.values()].map(
      ({ name, description }) =>
        `- ${quoteLine(name)}${description ? `: ${quoteLine(description)}` : ''}`,
    ),
  ].join('\n')
}

function flagsText({ project }: Context): string {
  const lines = Object.entries(project.flags).map(
    ([name, value]) =>
      `- ${name} = ${quoteLine(JSON.stringify(value).slice(0, 200))}${Object.hasOwn(project.projectFlags, name) ? '' : ' (global)'}`,
  )
  return [
    '# Flags',
    ...(lines.length > 0
      ? lines.slice(0, 100)
      : ['No flags are set. `set_project_flag` sets one.']),
  ].join('\n')
}

async function tasksText({ caller, openTasks }: Context): Promise<string> {
  const tasks = await openTasks(caller.user)
  const lines = tasks
    .slice(0, MAX_TASKS)
    .map(({ id, title, space, owner }) =>
      space === undefined
        ? `- ${id}: ${quoteLine(title)}`
        : `- ${id}, of ${quoteLine(owner ?? 'somebody')} in the space ${quoteLine(space)}: ${quoteLine(title)}`,
    )
  if (tasks.length > MAX_TASKS) lines.push('- … `list_tasks` gives the rest')
  return ['# Open tasks', ...(lines.length > 0 ? lines : ['Nothing left to do.'])].join('\n')
}

function namesOf(known: ReadonlyMap<string, unknown>): string {
  return [...known.keys()].sort().slice(0, 50).join(', ') || 'none'
}
