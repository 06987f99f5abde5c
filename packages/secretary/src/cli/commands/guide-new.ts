import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { Failure } from '@secretary-mcp/core/failure.ts'
import type { App } from '../../app/app.ts'
import { digestOf, realPath } from '../../guide/documents/document.ts'
import { rulesFiles } from '../../guide/rules-files.ts'
import { rulesInForce } from '../../guide/select.ts'
import { UsageError } from '../command-context.ts'
import { openQuestions } from '../questions.ts'
import { oneLine, type Terminal } from '../terminal.ts'

export type Scope = 'project' | 'all'

/** Letters, digits, - and _, in folders or not; what begins with _ is only ever included. */
const PATH =
  /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,79}(?:\/[\p{L}\p{N}][\p{L}\p{N}_-]{0,79}){0,4}(?:\.md)?$/u

export function rulePath(given: string): string {
  if (!PATH.test(given))
    throw new UsageError('A rule is named by letters, digits, - and _, such as testing/unit-tests')
  const inFolder = given.includes('/') ? given : `rules/${given}`
  return inFolder.endsWith('.md') ? inFolder : `${inFolder}.md`
}

/** On a pipe nobody can be asked. */
export async function askScope(given: string | undefined, terminal: Terminal): Promise<Scope> {
  if (given === 'project' || given === 'all') return given
  if (given !== undefined) throw new UsageError('--for must be project or all')
  if (!terminal.interactive) throw new UsageError('Say whom it is for: --for project or --for all')
  const questions = openQuestions()
  const answer = await questions.ask('For this project or for all projects? [project/all] ')
  questions.close()
  const said = answer?.trim().toLowerCase()
  if (said === 'project' || said === 'all') return said
  throw new UsageError('Nothing was written: answer project or all')
}

/** The person wrote it themselves, so it is trusted as it is. */
export async function writeRule(
  app: App,
  scope: Scope,
  path: string,
  text: string,
): Promise<string> {
  if (scope === 'all') {
    await app.guide.createDocument(app.localCaller, path, text)
    return path
  }
  const project = realPath(app.localCaller.project)
  if (project === undefined) throw new Failure('not_found', 'The project’s folder is not there')
  const file = join(project, '.guide', path)
  mkdirSync(dirname(file), { recursive: true })
  if (!realPath(dirname(file))?.startsWith(`${project}${sep}`))
    throw new Failure('forbidden', `.guide/${path} leads out of the project`)
  try {
    writeFileSync(file, text, { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new Failure('already_exists', `.guide/${path} exists already; edit it there`)
  }
  app.guide.trusted.trust(project, [{ path, digest: digestOf(Buffer.from(text)), text }])
  return `.guide/${path}`
}

interface RulesShown {
  readonly rules: readonly { readonly uri: string; readonly title: string; readonly line: string }[]
  readonly total: number
  /** What agents read by themselves. */
  readonly files: readonly string[]
  /** Profiles of the library that fit the project, and that nobody has chosen. */
  readonly fitting: readonly string[]
}

export async function shownRules(app: App): Promise<RulesShown> {
  const project = await app.guide.open(app.localCaller)
  const fitting = project.detected.filter((name) => !project.profiles.includes(name))
  return { ...rulesInForce(project), files: rulesFiles(app.localCaller.project), fitting }
}

/** What an agent of this project is told from now on. */
export function rulesLines(
  { rules, total, files, fitting }: RulesShown,
  { style }: Terminal,
): string[] {
  const own = rules.map(({ uri, title, line }) =>
    oneLine(`  ${style('cyan', uri)}  ${title}${line ? `: ${line}` : ''}`),
  )
  const more = total - rules.length
  return [
    total === 0
      ? 'Agents of this project receive no rules from Secretary. `secretary guide new NAME` writes one.'
      : `Agents of this project receive ${total === 1 ? 'this rule' : `these ${total} rules`}:`,
    ...own,
    ...(more > 0 ? [`  … and ${more} more`] : []),
    ...(files.length > 0
      ? [`They read these by themselves, so Secretary does not repeat them: ${files.join(', ')}`]
      : []),
    ...fitting.map(
      (name) => `Starter rules that fit: ${name}. \`secretary guide use ${name}\` chooses them.`,
    ),
  ]
}
