import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type JsonObject, objectIn, objectOf } from '../reading/loose-json.ts'

const DEFAULT_DAYS = 30
const DAYS_IN: Readonly<Record<string, number>> = { h: 1 / 24, d: 1, w: 7, m: 30, y: 365 }

/** Claude Code deletes what was not written for `cleanupPeriodDays`, whenever it starts. */
export async function claudeCleanupDays(config: string): Promise<number> {
  const { cleanupPeriodDays: days } = await settingsIn(config)
  return typeof days === 'number' && days >= 0 ? days : DEFAULT_DAYS
}

/** Gemini CLI keeps sessions for `general.sessionRetention.maxAge`, unless that is switched off. */
export async function geminiCleanupDays(root: string): Promise<number | undefined> {
  const { sessionRetention } = objectOf((await settingsIn(root)).general)
  const { enabled, maxAge } = objectOf(sessionRetention)
  if (enabled === false) return undefined
  const [, count, unit = ''] = /^(\d+)([hdwmy])$/.exec(String(maxAge)) ?? []
  return count === undefined ? DEFAULT_DAYS : Number(count) * (DAYS_IN[unit] ?? 1)
}

async function settingsIn(folder: string): Promise<JsonObject> {
  return objectIn(await readFile(join(folder, 'settings.json'), 'utf8').catch(() => ''))
}
