import { Failure } from '@secretary-mcp/core/failure.ts'
import { quoteLine } from '@secretary-mcp/core/quote.ts'
import { runGit } from '@secretary-mcp/core/run-git.ts'
import type { Command } from 'commander'
import type { App } from '../../app/app.ts'
import type { BranchReport, BranchRequest } from '../../dialogs/ledger/branch-report.ts'
import type { HistoryCase } from '../../rules/watched-rules.ts'
import type { RegisterCommand } from '../command-context.ts'
import { day } from '../dialog-words.ts'

const never = new AbortController().signal
const NOTES = 'refs/notes/secretary'
const BOUNDS = { longestMs: 10_000, mostBytes: 1 << 20 }
const MAX_NAMED = 8

interface Options {
  readonly notes?: boolean
  readonly json?: boolean
}

interface RuleCase extends HistoryCase {
  readonly rule: string
}

/** `secretary pr [BASE]`: what a reviewer wants to know of a branch. */
export const registerPr: RegisterCommand = (program, context) => {
  program
    .command('pr')
    .description('print the requests behind a branch, for its reviewers, in Markdown')
    .argument('[base]', 'the branch or commit that this branch starts from')
    .option('--notes', `write what belongs to each commit as a git note (${NOTES})`)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExamples:\n  secretary pr main')
    .action((base: string | undefined, options: Options, command: Command) =>
      context.withApp(command, async (app) => {
        const report = await app.dialogs.deeds.branch(app.localCaller, base, never)
        const cases = await casesOf(app, report)
        if (options.notes) await writeNotes(app.localCaller.project, report, cases)
        if (options.json)
          return context.terminal.print(JSON.stringify({ ...report, rules: cases }, null, 2))
        context.terminal.print(reportText(report, cases))
      }),
    )
}

/** How the watched rules fared in the work for this branch. */
async function casesOf(app: App, { requests }: BranchReport): Promise<RuleCase[]> {
  const rules = await app.rules()
  const wanted = new Set(requests.map(keyOf))
  const cases: RuleCase[] = []
  for (const rule of await rules.list(app.localCaller)) {
    const history = await rules.test(app.localCaller, rule, {}, never)
    cases.push(
      ...history.cases.flatMap((one) =>
        wanted.has(keyOf(one)) ? [{ ...one, rule: rule.title }] : [],
      ),
    )
  }
  return cases
}

function keyOf({
  sessionId,
  index,
}: {
  readonly sessionId: string
  readonly index: number
}): string {
  return `${sessionId}#${index}`
}

function reportText(report: BranchReport, cases: readonly RuleCase[]): string {
  const { base, commits, requests, others, unexplained, added } = report
  const lines = unexplained.reduce((sum, file) => sum + file.lines, 0)
  return [
    `## Requests behind this branch\n`,
    `${count(requests.length, 'request')} for ${count(commits.length, 'commit')} since ${code(base)}.`,
    ...requests.map((request) => `\n${requestText(request, cases)}`),
    ...(others.length > 0
      ? [
          `\n### Commits without a known request\n`,
          ...others.map(({ sha, subject }) => `- ${sha.slice(0, 7)} ${quoteLine(subject)}`),
        ]
      : []),
    `\n### Lines that no request explains\n`,
    lines === 0
      ? `None of ${count(added, 'added line')}.`
      : `${lines} of ${count(added, 'added line')}:\n`,
    ...unexplained.map((one) => `- ${code(one.file)}: ${one.lines}`),
  ].join('\n')
}

function requestText(request: BranchRequest, cases: readonly RuleCase[]): string {
  const { title, source, timestamp, state, against, files, ended, commits } = request
  const own = cases.filter((one) => keyOf(one) === keyOf(request))
  const outcome = [state.replace('_', ' '), ...against].join(', ')
  const named = files.slice(0, MAX_NAMED).map(code)
  const rest = files.length - named.length
  return [
    `### ${quoteLine(title)}`,
    '',
    `- ${day(timestamp)}, ${source}: ${outcome}`,
    ...commits.map(({ sha, subject }) => `- commit ${sha.slice(0, 7)} ${quoteLine(subject)}`),
    ...(named.length > 0
      ? [`- changed ${named.join(', ')}${rest > 0 ? ` and ${count(rest, 'other file')}` : ''}`]
      : []),
    ...ended.map((line) => `- ${quoteLine(line)}`),
    ...own.map(
      ({ rule, verdict, missing, forbidden }) =>
        `- rule ${verdict}: ${quoteLine(rule)}${verdict === 'kept' ? '' : ` (${[...missing, ...forbidden].map(quoteLine).join(', ')})`}`,
    ),
  ].join('\n')
}

/** Per commit, the requests that it was made for: their titles and outcomes, never the transcript. */
async function writeNotes(
  project: string,
  { requests }: BranchReport,
  cases: readonly RuleCase[],
): Promise<void> {
  const bySha = new Map<string, string[]>()
  for (const request of requests)
    for (const { sha } of request.commits)
      bySha.set(sha, [...(bySha.get(sha) ?? []), requestText(request, cases)])
  for (const [sha, texts] of bySha) {
    const args = ['notes', `--ref=${NOTES}`, 'add', '--force', '-m', texts.join('\n\n'), sha]
    const { isFailed } = await runGit(project, args, BOUNDS)
    if (isFailed)
      throw new Failure(
        'save_error',
        'Git could not write the notes: it needs your name and your e-mail address (git config user.name, user.email)',
      )
  }
}

function count(amount: number, what: string): string {
  return `${amount} ${what}${amount === 1 ? '' : 's'}`
}

function code(text: string): string {
  return `\`${quoteLine(text).replaceAll('`', "'")}\``
}
