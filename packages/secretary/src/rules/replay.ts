import { globMatcher } from '@secretary-mcp/core/glob.ts'
import type { Deed } from '@secretary-mcp/transcripts/deeds/deed.ts'
import {
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

interface DialogParts {
  /** Oldest first. */
  readonly deeds: readonly ReplayedDeed[]
  /** Commits made in the dialog's own repository. */
  readonly commits: ReadonlySet<Deed>
  /** Of the dialog's folder below the project; empty or with a slash at its end. */
  readonly below: string
  /** What the person typed for a request, by its position; asked only if a rule wants to know. */
  typed(position: number): string
}

/** What rules look at, in its order. */
type Step =
  | { readonly does: 'edit'; readonly deed: ReplayedDeed; readonly path: string }
  | { readonly does: 'commit'; readonly deed: ReplayedDeed }
  | { readonly does: 'end'; readonly deed: ReplayedDeed }
  | {
      readonly does: 'run'
      readonly deed: ReplayedDeed
      readonly programs: readonly Invocation[]
      /** Of the line's `git commit`, each in its turn. */
      readonly commits: readonly ReplayedDeed[]
    }

/** A dialog made ready: its commands are parsed once, however many rules are replayed over it. */
export interface ReadyDialog extends Pick<DialogParts, 'typed'> {
  readonly steps: readonly Step[]
}

export function readyDialog({ deeds, commits, below, typed }: DialogParts): ReadyDialog {
  const commitsOf = new Map<string, ReplayedDeed[]>()
  for (const deed of deeds)
    if (deed.call !== undefined && commits.has(deed))
      commitsOf.set(deed.call, [...(commitsOf.get(deed.call) ?? []), deed])
  const parsed = new Map<string, readonly Invocation[]>()
  const placed = new Set<Deed>()
  const steps: Step[] = []
  for (const [at, deed] of deeds.entries()) {
    if (deed.kind === 'command') {
      const text = deed.text ?? ''
      const programs = parsed.get(text) ?? invocationsIn(text)
      parsed.set(text, programs)
      const made = (commitsOf.get(deed.call ?? '') ?? []).slice(0, programs.filter(isCommit).length)
      for (const commit of made) placed.add(commit)
      steps.push({ does: 'run', deed, programs, commits: made })
    } else if (deed.kind === 'commit') {
      if (commits.has(deed) && !placed.has(deed)) steps.push({ does: 'commit', deed })
    } else if (deed.kind === 'create' || deed.kind === 'change' || deed.kind === 'delete') {
      const { path } = deed
      if (path !== undefined && !OUTSIDE.test(path))
        steps.push({ does: 'edit', deed, path: `${below}${path}` })
    }
    if (deeds[at + 1]?.position !== deed.position) steps.push({ does: 'end', deed })
  }
  return { steps, typed }
}

/** A path that the project does not hold. */
const OUTSIDE = /^(?:\/|[a-z]:|~|\.\.(?:\/|$))/i

function isCommit({ program, args }: Invocation): boolean {
  return program === 'git' && args.includes('commit')
}

function isPush({ program, args }: Invocation): boolean {
  return program === 'git' && args.includes('push')
}

interface Demand {
  readonly text: string
  matches(one: Invocation): boolean
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
    isAbout: remember((path) => matchers.length === 0 || matchers.some((matches) => matches(path))),
    require: require.flatMap(demandFrom),
    forbidCommands: forbid.filter((one) => !isPathPattern(one)).flatMap(demandFrom),
    forbidPaths: forbid.filter(isPathPattern).map((text) => ({
      text,
      matches: remember(globMatcher(text.includes('/') ? text : `**/${text}`)),
    })),
  }
}

/** Agents edit the same files and run the same commands again and again. */
function remember<Thing>(ask: (thing: Thing) => boolean): (thing: Thing) => boolean {
  const known = new Map<Thing, boolean>()
  return (thing) => {
    const found = known.get(thing) ?? ask(thing)
    known.set(thing, found)
    return found
  }
}

function demandFrom(text: string): Demand[] {
  const pattern = parseCommandPattern(text)
  return pattern ? [{ text, matches: remember((one) => matchesPattern(pattern, one)) }] : []
}

/** Every time that the rule applied in a dialog, oldest first. Takes one pass, whatever the rule says. */
export function replay(rule: ReadyRule, dialog: ReadyDialog): RuleCase[] {
  return new Replay(rule, dialog).run()
}

type Ran = 'passed' | 'failed' | 'unknown'

class Replay {
  readonly #rule: ReadyRule
  readonly #dialog: ReadyDialog
  readonly #cases: RuleCase[] = []
  /** What ran since the last edit that the rule is about. */
  readonly #ran = new Map<Demand, Ran>()
  /** Whether such an edit is not yet committed, pushed or reported. */
  #isEdited = false
  /** Forbidden paths that were edited since then. */
  readonly #touched = new Set<string>()
  #hasBegun = false

  constructor(rule: ReadyRule, dialog: ReadyDialog) {
    this.#rule = rule
    this.#dialog = dialog
  }

  run(): RuleCase[] {
    for (const step of this.#dialog.steps) {
      if (step.does === 'run') this.#command(step.deed, step.programs, step.commits)
      else if (step.does === 'edit') this.#edit(step.deed, step.path)
      else if (step.does === 'commit') this.#commit(step.deed)
      else if (this.#rule.on === 'stop') this.#stop(step.deed)
    }
    return this.#cases
  }

  /** A line's programs in their order: what stands before `git commit` counts for it, what stands behind it does not. */
  #command(
    deed: ReplayedDeed,
    programs: readonly Invocation[],
    commits: readonly ReplayedDeed[],
  ): void {
    const { on, forbidCommands } = this.#rule
    let next = 0
    for (const one of programs) {
      if (commits.length > 0 && isCommit(one)) {
        const commit = commits[next++]
        if (commit) this.#commit(commit, one)
      } else if (on === 'push' && isPush(one) && outcomeOf(deed, one) !== 'failed')
        this.#happen(deed, one)
      this.#notice(deed, one)
    }
    if (on !== 'command') return
    const found = forbidCommands.filter(({ matches }) => programs.some(matches))
    this.#judge(
      deed,
      [],
      found.map(({ text }) => text),
    )
  }

  /** Remembers how a command ended that the rule requires: the last run decides. */
  #notice(deed: ReplayedDeed, one: Invocation): void {
    for (const demand of this.#rule.require)
      if (demand.matches(one)) this.#ran.set(demand, outcomeOf(deed, one))
  }

  #commit(deed: ReplayedDeed, one?: Invocation): void {
    if (this.#rule.on === 'commit') this.#happen(deed, one)
  }

  #edit(deed: ReplayedDeed, path: string): void {
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
    this.#ran.clear()
  }

  /** A commit or a push: it closes what was edited before it. */
  #happen(deed: ReplayedDeed, one?: Invocation): void {
    const applies = this.#isEdited || !this.#rule.hasFiles
    const commands = this.#rule.forbidCommands
      .filter(({ matches }) => one !== undefined && matches(one))
      .map(({ text }) => text)
    if (applies) this.#judge(deed, this.#missing(), [...commands, ...this.#touched])
    this.#isEdited = false
    this.#touched.clear()
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
