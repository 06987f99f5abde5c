/** Until when what spaces know of a project was read into its index. */
export class SpaceMarks {
  readonly #readMs = new Map<string, Map<string, number>>()

  /** The earliest moment of those that were read at all; without end where none was. */
  since(project: string, spaces: readonly string[]): number {
    const marks = this.#readMs.get(project)
    return Math.min(...spaces.map((space) => marks?.get(space) ?? Number.POSITIVE_INFINITY))
  }

  isRead(project: string, space: string): boolean {
    return this.#readMs.get(project)?.has(space) === true
  }

  read(project: string, space: string, ms: number): void {
    const marks = this.#readMs.get(project) ?? new Map<string, number>()
    this.#readMs.set(project, marks.set(space, ms))
  }

  /** After its index was lost. */
  forget(project: string): void {
    this.#readMs.delete(project)
  }
}
