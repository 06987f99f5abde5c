import { existsSync } from 'node:fs'
import type { Places } from '@secretary-mcp/transcripts/places.ts'
import type { EntryForm } from './entry-form.ts'

export type Surroundings = Places & {
  readonly project: string
  /** Whether agents are to be told before an edit what was asked for. */
  readonly hasEditNotes?: boolean
}

/** A program that can start our server, and the file in which it looks for servers. */
export interface Client {
  readonly id: string
  readonly label: string
  /** Whether the file belongs to one project: such files are shared, so no path of this machine goes into them. */
  readonly isPerProject: boolean
  /** How the client writes the project's folder; it starts servers there where it has no word for it. */
  readonly projectVariable?: string
  /** What is on a machine that has it: one of them is enough. */
  traces(around: Surroundings): string[]
  /** Among several that it reads, the one that is there. */
  file(around: Surroundings): string
  readonly form: EntryForm
  /** A setting of the same file without which the tools are not there in time. */
  readonly patience?: Pick<EntryForm, 'without'> & {
    readonly addition: string
    with(text: string): string | undefined
  }
  /** What the person should know once it is written. */
  readonly notes?: readonly string[]
}

export function isInstalled(client: Client, around: Surroundings): boolean {
  return client.traces(around).some((path) => existsSync(path))
}

/** The first that exists, else the first. */
export function presentOf(first: string, ...others: string[]): string {
  return [first, ...others].find((path) => existsSync(path)) ?? first
}
