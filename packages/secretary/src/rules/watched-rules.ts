import { posix } from 'node:path'
import { withFileInside } from '@secretary-mcp/core/files/read-inside.ts'
import { quoteLine } from '@secretary-mcp/core/quote.ts'
import type { Caller } from '@secretary-mcp/core/tool.ts'
import { titleOf, typedText } from '@secretary-mcp/transcripts/authorship.ts'
import { deedsOfCall } from '@secretary-mcp/transcripts/deeds/call-deeds.ts'
import { placeDeeds } from '@secretary-mcp/transcripts/deeds/deed-collector.ts'
import type { Dialog, Mark } from '@secretary-mcp/transcripts/dialog.ts'
import type { JsonObject } from '@secretary-mcp/transcripts/reading/loose-json.ts'
import type { DeedStore } from '../dialogs/deeds/deed-store.ts'
import { deedsOfDialog, type PlacedDeed } from '../dialogs/deeds/deeds-of-dialog.ts'
import type { Dialogs } from '../dialogs/dialogs.ts'
import { commitsOfTranscript } from '../dialogs/ledger/commits.ts'
import { type Document, realPath } from '../guide/documents/document.ts'
import type { WatchBlock } from '../guide/documents/watch-block.ts'
import type { Guide } from '../guide/guide.ts'
import { rulesFiles } from '../guide/rules-files.ts'
import { type ReadyRule, type RuleCase, readyDialog, readyRule, replay } from './replay.ts'
import type { StatedRule } from './suggest-rules.ts'

export interface WatchedRule {
  readonly name: string
  readonly title: string
  readonly line: string
  readonly watch: WatchBlock
}

export interface HistoryCase {
  readonly sessionId: string
  readonly source: string
  readonly timestamp: number
  readonly verdict: 'kept' | 'broken'
  readonly missing: string[]
  readonly forbidden: string[]
  readonly call?: string
  /** The request that it was done for: its position and its title. */
  readonly index: number
  readonly request: string
  /** What the person said next, if that names what was missing. */
  readonly corrected?: string
}

export interface History {
  readonly rule: string
  readonly applied: number
  readonly kept: number
  readonly broken: number
  /** Oldest first. */
  readonly cases: HistoryCase[]
  readonly note?: string
}

/** A rule that a file of the project states, and how it would have fared. */
export interface SuggestedRule extends StatedRule {
  readonly file: string
  readonly applied: number
  readonly kept: number
  readonly broken: number
}

/** What an agent is about to do that a rule has something to say about. */
export interface Objection {
  readonly rule: WatchedRule
  readonly missing: readonly string[]
  readonly forbidden: readonly string[]
}

export interface PendingCall {
  readonly tool: string
  readonly input: JsonObject
  readonly cwd?: string
}

interface Parts {
  readonly dialogs: Dialogs
  readonly store: DeedStore
  readonly guide: Guide
}

const MAX_TITLE = 80

/** Rules over what happened in time: replayed over what agents did here, and asked before they do something. */
export class WatchedRules {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Those that the person wrote or chose and, of the project's own, trusts. */
  async list(caller: Caller): Promise<WatchedRule[]> {
    const [project, { chosenDocuments }] = await Promise.all([
      this.#parts.guide.open(caller),
      import('../guide/select.ts'),
    ])
    return chosenDocuments(project).flatMap(({ document }) => ruleFrom(document) ?? [])
  }

  /** How a rule would have fared in all dialogs of the project. */
  async test(
    caller: Caller,
    { name, watch }: Pick<WatchedRule, 'name' | 'watch'>,
    { since = 0 }: { readonly since?: number },
    signal: AbortSignal,
  ): Promise<History> {
    const { dialogs } = this.#parts
    const rule = readyRule(watch)
    const all = await dialogs.ofProject(caller, signal)
    const cases: HistoryCase[] = []
    for (const dialog of all) {
      if (dialog.lastSeen < since) continue
      signal.throwIfAborted()
      cases.push(...(await this.#casesOf(rule, dialog, caller)))
    }
    const found = cases
      .filter(({ timestamp }) => timestamp >= since)
      .sort((one, other) => one.timestamp - other.timestamp)
    const broken = found.filter(({ verdict }) => verdict === 'broken').length
    return {
      rule: name,
      applied: found.length,
      kept: found.length - broken,
      broken,
      cases: found,
      ...dialogs.unreadFor(caller),
    }
  }

  async #casesOf(rule: ReadyRule, dialog: Dialog, { project }: Caller): Promise<HistoryCase[]> {
    const { dialogs, store } = this.#parts
    const marks = await dialogs.texts.marks(dialog)
    const deeds = await deedsOfDialog(store, dialog, marks)
    if (deeds.length === 0) return []
    const typed = await this.#typedOf(rule, dialog, marks)
    const ready = readyDialog({
      deeds,
      commits: commitsOfTranscript(deeds, dialog.project ?? project),
      below: folderBelow(dialog.project, project),
      typed: (position) => typed[position - 1] ?? '',
    })
    return replay(rule, ready).map((one) => caseOf(one, dialog, marks))
  }

  async #typedOf(
    rule: ReadyRule,
    dialog: Dialog,
    marks: readonly Mark[],
  ): Promise<readonly string[]> {
    if (!rule.unless.asked) return []
    const { texts } = this.#parts.dialogs
    return Promise.all(
      marks.map(async (mark, at) =>
        typedText((await texts.asked(dialog, marks, at + 1)).request ?? mark.preview),
      ),
    )
  }

  /**
   * Rules that the project's own files for agents state. Only of a folder in which the person has worked with an agent, or whose
   * guide they trust: nothing is proposed in the name of a repository that was only unpacked.
   */
  async suggest(caller: Caller, signal: AbortSignal): Promise<SuggestedRule[]> {
    const { dialogs, guide } = this.#parts
    const isKnown =
      guide.trusted.has(caller.project) || (await dialogs.ofProject(caller, signal)).length > 0
    const root = isKnown ? realPath(caller.project) : undefined
    if (root === undefined) return []
    const { statedRules } = await import('./suggest-rules.ts')
    const suggested: SuggestedRule[] = []
    for (const file of rulesFiles(root)) {
      const text = withFileInside(root, file, ({ bytes }) => bytes(0, MAX_RULE_FILE))
      for (const stated of statedRules(text?.toString('utf8') ?? '')) {
        const { applied, kept, broken } = await this.test(
          caller,
          { name: file, watch: stated.watch },
          {},
          signal,
        )
        suggested.push({ ...stated, file, applied, kept, broken })
      }
    }
    return suggested
  }

  /** What the rules have to say about a call that is about to be made in the caller's dialog. */
  async before(caller: Caller, pending: PendingCall, signal: AbortSignal): Promise<Objection[]> {
    const { dialogs, store } = this.#parts
    const rules = await this.list(caller)
    if (rules.length === 0) return []
    const facts = deedsOfCall(pending.tool, pending.input, {
      call: PENDING,
      ...(pending.cwd === undefined ? {} : { cwd: pending.cwd }),
    })
    const kinds = new Set(facts.map(({ kind }) => kind))
    const concerned = rules.filter(({ watch }) => mayConcern(watch, kinds))
    if (concerned.length === 0) return []
    const session = dialogs.sessionNamedBy(caller)
    const dialog = session === undefined ? undefined : await dialogs.find(caller, session, signal)
    const marks = dialog ? await dialogs.texts.marks(dialog) : []
    const before = dialog ? await deedsOfDialog(store, dialog, marks) : []
    const position = marks.length
    const folder = dialog?.project ?? caller.project
    // Spelled as the deeds of a transcript are, so that history and hook judge alike.
    const next = placeDeeds([{ at: Number.MAX_SAFE_INTEGER, deeds: facts }], folder).map(
      (deed): PlacedDeed => ({
        ...deed,
        ...{
          id: 0,
          key: '',
          sessionId: session ?? '',
          source: dialog?.source ?? 'claude-code',
          isHelper: false,
        },
        position,
      }),
    )
    const deeds = [...before, ...next]
    const commits = commitsOfTranscript(deeds, folder)
    const ready = concerned.map((rule) => ({ rule, watch: readyRule(rule.watch) }))
    const asks = ready.find(({ watch }) => watch.unless.asked)?.watch
    const typed = asks && dialog ? await this.#typedOf(asks, dialog, marks) : []
    const replayed = readyDialog({
      deeds,
      commits,
      below: folderBelow(dialog?.project, caller.project),
      typed: (at) => typed[at - 1] ?? '',
    })
    return ready.flatMap(({ rule, watch }) => {
      const broken = replay(watch, replayed).find(
        ({ verdict, deed }) => verdict === 'broken' && deed.call === PENDING,
      )
      return broken ? [{ rule, missing: broken.missing, forbidden: broken.forbidden }] : []
    })
  }
}

const MAX_RULE_FILE = 256 * 1024
const PENDING = 'pending'

function mayConcern({ on }: WatchBlock, kinds: ReadonlySet<string>): boolean {
  if (on === 'commit') return kinds.has('commit')
  if (on === 'push' || on === 'command') return kinds.has('command')
  return on === 'edit' && [...kinds].some((kind) => /^(create|change|delete)$/.test(kind))
}

export function ruleFrom(document: Document): WatchedRule | undefined {
  const { path, title, description = '', watch } = document
  return watch && { name: path.replace(/\.md$/, ''), title, line: description, watch }
}

/** How a dialog's folder lies below the project: with a slash at the end, or empty. */
function folderBelow(folder: string | undefined, project: string): string {
  if (folder === undefined) return ''
  const below = posix.relative(project.replaceAll('\\', '/'), folder.replaceAll('\\', '/'))
  return below === '' || below.startsWith('..') || posix.isAbsolute(below) ? '' : `${below}/`
}

function caseOf(
  { verdict, missing, forbidden, deed }: RuleCase,
  { sessionId, source, firstSeen }: Dialog,
  marks: readonly Mark[],
): HistoryCase {
  const mark = marks[deed.position - 1]
  const next = marks[deed.position]
  const isCorrected =
    verdict === 'broken' && next !== undefined && names(next.preview, [...missing, ...forbidden])
  return {
    sessionId,
    source,
    timestamp: deed.time || firstSeen,
    verdict,
    missing: [...missing],
    forbidden: [...forbidden],
    ...(deed.call === undefined ? {} : { call: deed.call }),
    index: deed.position,
    request: mark ? titleOf(mark.title ?? mark.preview, MAX_TITLE) : '',
    ...(isCorrected ? { corrected: titleOf(next.title ?? next.preview, MAX_TITLE) } : {}),
  }
}

/** Whether a text speaks of one of these commands: by its last word, which tells it from others. */
function names(text: string, commands: readonly string[]): boolean {
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,40}/gu) ?? [])
  return commands.some((command) => {
    const own = command.toLowerCase().match(/[\p{L}\p{N}]{3,40}/gu) ?? []
    return own.some((word) => !COMMON.has(word) && words.has(word))
  })
}

const COMMON = new Set([
  'run',
  'npm',
  'git',
  'mise',
  'make',
  'pnpm',
  'yarn',
  'bun',
  'npx',
  'the',
  'src',
])

export type HookAnswer = Readonly<Record<string, unknown>>

/** The strictest that one of the rules asks for. */
const ORDER = ['tell', 'ask', 'deny'] as const

/** The rule's own line, what is missing and the command that would satisfy it. */
export function objectionText(objections: readonly Objection[]): string {
  return objections
    .map(({ rule, missing, forbidden }) =>
      [
        `The rule "${quoteLine(rule.title)}" of this project: ${quoteLine(rule.line)}`,
        ...(forbidden.length > 0 ? [`It forbids: ${forbidden.map(quoteLine).join(', ')}`] : []),
        ...(missing.length > 0
          ? [
              `Not run since the last edit, or failed: ${missing.map(quoteLine).join(', ')}`,
              `Run first: ${missing.map(quoteLine).join(' && ')}`,
            ]
          : []),
      ].join('\n'),
    )
    .join('\n\n')
}

/** What a hook before a tool answers; undefined lets the call pass silently. */
export function objectionAnswer(
  objections: readonly Objection[],
  form = 'claude',
): HookAnswer | undefined {
  if (objections.length === 0) return undefined
  const strictest = ORDER[Math.max(...objections.map(({ rule }) => ORDER.indexOf(rule.watch.then)))]
  const text = objectionText(objections)
  const decision =
    strictest === 'tell'
      ? { additionalContext: text }
      : { permissionDecision: strictest, permissionDecisionReason: text }
  const inside = { hookSpecificOutput: { hookEventName: 'PreToolUse', ...decision } }
  return form === 'copilot' ? { ...decision, ...inside } : inside
}
