import type { Tool } from './tool.ts'

/** Importing a tool's file declares it here. A file is imported once in a process, however many apps it has. */
class ToolCollection {
  readonly #entries = new Map<string, { readonly tool: Tool; isHandedOut: boolean }>()

  declare(tool: Tool): void {
    const key = `${tool.family}/${tool.name}`
    if (this.#entries.get(key)?.isHandedOut === false)
      throw new Error(`Tool declared twice: ${tool.name}`)
    this.#entries.set(key, { tool, isHandedOut: false })
  }

  /** Those that nobody has had yet. */
  handOut(): Map<string, Tool> {
    const fresh = [...this.#entries].filter(([, { isHandedOut }]) => !isHandedOut)
    for (const [, entry] of fresh) entry.isHandedOut = true
    return new Map(fresh.map(([key, { tool }]) => [key, tool]))
  }

  /** Handed out or not, by name: in which order files load is the bundler's affair, and clients keep the list. */
  ofFamily(family: string): Tool[] {
    return [...this.#entries.values()]
      .map(({ tool }) => tool)
      .filter((tool) => tool.family === family)
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  }
}

export const toolCollection = new ToolCollection()
