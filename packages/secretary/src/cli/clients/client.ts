import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Places } from '@secretary-mcp/transcripts/places.ts'
import type { EntryForm } from './entry-form.ts'

export type Surroundings = Places & {
  readonly project: string
  /** Whether agents are to be told before an edit what was asked for. */
  readonly hasEditNotes?: boolean
  readonly watchesRules?: boolean
  /** Whether to write into the project's files, which others get too, instead of the person's own. */
  readonly isShared?: boolean
}

/** A program that can start our server, and the file in which it looks for servers. */
export interface Client {
  readonly id: string
  readonly label: string
  /** How the client writes the project's folder; it starts servers there where it has no word for it. */
  readonly projectVariable?: string
  /** What is on a machine that has it: one of them is enough. */
  traces(around: Surroundings): string[]
  /** The person's own file, the same for all projects; among several, the one that exists. */
  file(around: Surroundings): string
  /** The project's file. Others get it too, so no path of this machine goes into it. */
  sharedFile?(project: string): string
  readonly form: EntryForm
  /** Whether it shows its model the name of the server before the name of a tool, so that short names cannot clash. */
  readonly namesServer?: boolean
  /** A setting of the same file without which the tools are not there in time. */
  readonly patience?: Pick<EntryForm, 'without'> & {
    readonly addition: string
    with(text: string): string | undefined
  }
  /** What the person should know once it is written. */
  readonly notes?: readonly string[]
}

/** The project's file if it has one and that is wanted, else the person's own. */
export function fileOf(client: Client, around: Surroundings): string {
  return (around.isShared && client.sharedFile?.(around.project)) || client.file(around)
}

export function isInstalled(client: Client, around: Surroundings): boolean {
  return client.traces(around).some((path) => existsSync(path))
}

/** Where programs of the Linux kind keep settings, on every platform. */
export function configFolder({ home, xdgConfig }: Surroundings): string {
  return xdgConfig ?? join(home, '.config')
}

/** The first that exists, else the first. */
export function presentOf(first: string, ...others: string[]): string {
  return [first, ...others].find((path) => existsSync(path)) ?? first
}
