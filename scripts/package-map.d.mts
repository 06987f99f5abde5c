export interface Source {
  readonly path: string
  readonly package: string
  readonly lines: number
  readonly files: readonly string[]
  readonly vendors: readonly string[]
}
export function readSources(): Source[]
export function packageOf(path: string): string
export function findCycles(sources: readonly Pick<Source, 'path' | 'files'>[]): string[]
