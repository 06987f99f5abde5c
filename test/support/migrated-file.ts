import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { sqliteDatabase } from '@secretary-mcp/secretary/storage/open-database.ts'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    migratedFile?: string
  }
}

/** One empty database with all tables: hundreds of unit tests copy it instead of migrating their own. */
export default async function makeMigratedFile(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'secretary-migrated-'))
  const path = join(folder, 'secretary.db')
  const database = sqliteDatabase(path)
  await database.use(async () => {})
  await database.close()
  project.provide('migratedFile', path)
  return () => rmSync(folder, { recursive: true, force: true })
}

/** Puts the database there, where the run has one; elsewhere the first use migrates. */
export function placeMigratedFile(path: string): string {
  const migrated = inject('migratedFile')
  if (migrated === undefined) return path
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  copyFileSync(migrated, path)
  chmodSync(path, 0o600)
  return path
}
