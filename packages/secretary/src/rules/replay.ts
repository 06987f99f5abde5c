import { globMatcher } from '@secretary-mcp/core/glob.ts'
import type { Deed } from '@secretary-mcp/transcripts/deeds/deed.ts'
import {
  type CommandPattern,
  matchesPattern,
  parseCommandPattern,
} from '@secretary-mcp/transcripts/deeds/runs/command-pattern.ts'
import {
  type Invocation,
  invocationsIn,
} from '@secretary-mcp/transcripts/deeds/shell/invocations.ts'
import { isPathPattern, type WatchBlock } from '../guide/documents/watch-block.ts'

/** Something that a rule is about: it happened, and the rule was kept or broken. */
export interface RuleCase {
  readonly verdict: 'kept' | 'broken'
  /** What the rule requires and nobody ran, or what it forbids and somebody did. */
  readonly missing: readonly string[]
  readonly forbidden: readonly string[]
  readonly deed: ReplayedDeed
}

export interface ReplayedDeed extends Deed {
  /** The request that it was done for; 0 before the first. */
  readonly position: number
}

export interface ReplayedDialog {
  /** Oldest first. */
  readonly deeds: readonly ReplayedDeed[]
  /** Commits made in the dialog's own repository. */
  readonly commits: ReadonlySet<Deed>
  /** Of the dialog's folder below the project; empty or with a slash at its end. */
  readonly below: string
  /** What the person typed for a request, by its position; asked only if a rule wants to know. */
  typed(position: number): string
}

interface Demand {
  readonly text: string
  readonly pattern: CommandPattern
}

/** A rule made ready: patterns are read once, however many dialogs are replayed. */
export interface ReadyRule extends Omit<WatchBlock, 'files' | 'require' | 'forbid'> {
  readonly isAbout: (path: string) => boolean
  readonly hasFiles: boolean
  readonly require: readonly Demand[]
  readonly forbidCommands: readonly Demand[]
  readonly forbidPaths: readonly {
    readonly text: string
    readonly matches: (path: string) => boolean
  }[]
}

export function readyRule({ files, require, forbid, ...rest }: WatchBlock): ReadyRule {
  const matchers = files.map((glob) => globMatcher(glob))
  return {
    ...rest,
    hasFiles: files.length > 0,
    isAbout: (path) => matchers.length === 0 || matchers.some((matches) => matches(path)),
    require: require.flatMap(demandFrom),
    forbidCommands: forbid.filter((one) => !isPathPattern(one)).flatMap(demandFrom),
    forbidPaths: forbid
      .filter(isPathPattern)
      .map((text) => ({ text, matches: globMatcher(text.includes('/') ? text : `**/${text}`) })),
  }
}

function demandFrom(text: string): Demand[] {
  const pattern = parseCommandPattern(text)
  return pattern ? [{ text, pattern }] : []
}

/** Every time that the rule applied in a dialog, oldest first. Takes one pass, whatever the rule says. */
export function replay(rule: ReadyRule, dialog: ReplayedDialog): RuleCase[] {
  return new Replay(rule, dialog).run()
}

type Ran = 'passed' | 'failed' | 'unknown'

class Replay {
  readonly #rule: ReadyRule
  readonly #dialog: ReplayedDialog
  readonly #cases: RuleCase[] = []
  /** What ran since the last edit that the rule is about. */
  #ran = new Map<Demand, Ran>()
  /** Whether such an edit is not yet committed, pushed or reported. */
  #isEdited = false
  /** Forbidden paths that were edited since then. */
  #touched = new Set<string>()
  #hasBegun = false

  constructor(rule: ReadyRule, dialog: ReplayedDialog) {
    this.#rule = rule
    this.#dialog = dialog
  }

  run(): RuleCase[] {
    const { deeds, commits } = this.#dialog
    const commitsOf = new Map<string, ReplayedDeed[]>()
    for (const deed of deeds)
      if (deed.call !== undefined && commits.has(deed))
        commitsOf.set(deed.call, [...(commitsOf.get(deed.call) ?? []), deed])
    const done = new Set<Deed>()
    for (const [at, deed] of deeds.entries()) {
      if (deed.kind === 'command') this.#command(deed, commitsOf.get(deed.call ?? '') ?? [], done)
      else if (deed.kind === 'commit' && commits.has(deed) && !done.has(deed)) this.#commit(deed)
      else if (/^(create|change|delete)$/.test(deed.kind)) this.#edit(deed)
      const isTurnsEnd = deeds[at + 1]?.position !== deed.position
      if (isTurnsEnd && this.#rule.on === 'stop') this.#stop(deed)
    }
    return this.#cases
  }

  /** A line's programs in their order: what stands before `git commit` counts for it, what stands behind it does not. */
  #command(deed: ReplayedDeed, commits: readonly ReplayedDeed[], done: Set<Deed>): void {
    const { on, forbidCommands } = this.#rule
    const waiting = [...commits]
    const found: string[] = []
    for (const one of invocationsIn(deed.text ?? '')) {
      const words = one.program === 'git' ? one.args : []
      if (words.includes('commit')) {
        const commit = waiting.shift()
        if (commit) {
          done.add(commit)
          this.#commit(commit, one)
        }
      } else if (words.includes('push') && on === 'push' && !isFailed(deed, one))
        this.#happen(deed, one)
      this.#notice(deed, one)
      for (const { text, pattern } of forbidCommands)
        if (matchesPattern(pattern, one)) found.push(text)
    }
    if (on === 'command') this.#judge(deed, [], found)
  }

  /** Remembers how a command ended that the rule requires: the last run decides. */
  #notice(deed: ReplayedDeed, one: Invocation): void {
    for (const demand of this.#rule.require)
      if (matchesPattern(demand.pattern, one)) this.#ran.set(demand, outcomeOf(deed, one))
  }

  #commit(deed: ReplayedDeed, one?: Invocation): void {
    if (this.#rule.on === 'commit') this.#happen(deed, one)
  }

  #edit(deed: ReplayedDeed): void {
    const path = this.#pathOf(deed)
    if (path === undefined) return
    const { on, forbidPaths, isAbout } = this.#rule
    const forbidden = forbidPaths.filter(({ matches }) => matches(path)).map(({ text }) => text)
    if (on === 'edit') {
      if (isAbout(path)) this.#judge(deed, this.#missing(), forbidden)
      return
    }
    if (on === 'start') {
      if (!this.#hasBegun) this.#judge(deed, this.#missing(), [])
      this.#hasBegun = true
      return
    }
    for (const text of forbidden) this.#touched.add(text)
    if (!isAbout(path)) return
    this.#isEdited = true
    this.#ran = new Map()
  }

  /** A commit or a push: it closes what was edited before it. */
  #happen(deed: ReplayedDeed, one?: Invocation): void {
    const applies = this.#isEdited || !this.#rule.hasFiles
    const commands = this.#rule.forbidCommands
      .filter(({ pattern }) => one !== undefined && matchesPattern(pattern, one))
      .map(({ text }) => text)
    if (applies) this.#judge(deed, this.#missing(), [...commands, ...this.#touched])
    this.#isEdited = false
    this.#touched = new Set()
  }

  #stop(deed: ReplayedDeed): void {
    if (this.#isEdited) this.#judge(deed, this.#missing(), [])
    this.#isEdited = false
  }

  #missing(): string[] {
    return this.#rule.require
      .filter((demand) => (this.#ran.get(demand) ?? 'failed') === 'failed')
      .map(({ text }) => text)
  }

  #judge(deed: ReplayedDeed, missing: readonly string[], found: readonly string[]): void {
    const forbidden = this.#rule.unless.asked
      ? found.filter((text) => !this.#isAsked(text, deed.position))
      : found
    const isBroken = missing.length + forbidden.length > 0
    this.#cases.push({
      verdict: isBroken ? 'broken' : 'kept',
      missing,
      forbidden: [...new Set(forbidden)],
      deed,
    })
  }

  /** Whether the person typed the words of it for this request or an earlier one. */
  #isAsked(text: string, position: number): boolean {
    const words = wordsIn(text)
    for (let at = position; at >= 1; at--) {
      const typed = new Set(wordsIn(this.#dialog.typed(at)))
      if (words.every((word) => typed.has(word))) return true
    }
    return false
  }

  /** As the project spells it; undefined outside of it. */
  #pathOf({ path }: Deed): string | undefined {
    return path === undefined || /^(\/|[a-z]:|~|\.\.(\/|$))/i.test(path)
      ? undefined
      : `${this.#dialog.below}${path}`
  }
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]{2,60}/gu) ?? []
}

/** By what was settled when the command ended, otherwise by the status of the whole line. */
function outcomeOf({ runs = [], exit }: Deed, one: Invocation): Ran {
  const text = one.text.replace(/\s+/g, ' ')
  const settled = runs.find(({ command }) => command !== '' && text.startsWith(command))
  if (settled) return settled.outcome ?? 'unknown'
  if (exit === undefined) return 'unknown'
  return (exit === 0 ? one.proof.zero : one.proof.other) ?? 'unknown'
}

function isFailed(deed: Deed, one: Invocation): boolean {
  return outcomeOf(deed, one) === 'failed'
}
