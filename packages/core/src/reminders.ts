import type { Caller } from './tool.ts'

type Place = Pick<Caller, 'user' | 'project'>

const MAX_WAITING = 20
const MAX_AT_ONCE = 3
const MAX_LENGTH = 500

/**
 * Instructions that ride on the next tool result of a user in a project.
 * Each is said once; the queue is bounded, and the newest of a kind replaces the older ones.
 */
export class Reminders {
  readonly #waiting = new Map<string, Map<string, string>>()

  /** `kind` names what it is about, such as `rule:src/app.ts`: the same kind waits only once. */
  add(place: Place, kind: string, text: string): void {
    const queue = this.#waiting.get(keyOf(place)) ?? new Map<string, string>()
    queue.delete(kind)
    queue.set(kind, text.slice(0, MAX_LENGTH))
    const oldest = queue.keys().next().value
    if (queue.size > MAX_WAITING && oldest !== undefined) queue.delete(oldest)
    this.#waiting.set(keyOf(place), queue)
  }

  take(place: Place): string[] {
    const queue = this.#waiting.get(keyOf(place))
    if (!queue) return []
    const taken = [...queue].slice(0, MAX_AT_ONCE)
    for (const [kind] of taken) queue.delete(kind)
    if (queue.size === 0) this.#waiting.delete(keyOf(place))
    return taken.map(([, text]) => text)
  }
}

function keyOf({ user, project }: Place): string {
  return `${user}\0${project}`
}
