/** An agent must not wait for us: what is not known by then is asked for with a tool. */
const DEADLINE_MS = 2_000

/** Ends a hook that takes too long, as if it had nothing to say. */
export function failOpen(): void {
  setTimeout(() => process.exit(0), DEADLINE_MS).unref()
}
