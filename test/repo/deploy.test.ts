import { readdirSync, readFileSync } from 'node:fs'
import { fields } from '@secretary-mcp/core/config/fields.ts'
import { expect, it } from 'vitest'

const folder = new URL('../../deploy/', import.meta.url)
const KNOWN = new Set(Object.values(fields).map(({ env }) => env as string | undefined))
/** Ours in the compose file only, for its own database. */
const OF_COMPOSE = new Set(['SECRETARY_DATABASE_PASSWORD'])

it.each(readdirSync(folder))('deploy/%s names settings that exist', (name) => {
  const text = readFileSync(new URL(name, folder), 'utf8')
  const named = [...text.matchAll(/\bSECRETARY_[A-Z_]+/g)].map(([setting]) => setting)
  expect(named.filter((one) => !KNOWN.has(one) && !OF_COMPOSE.has(one))).toEqual([])
})

it('the manifests ask for health where the server tells it', () => {
  const text = readFileSync(new URL('kubernetes.yaml', folder), 'utf8')
  expect(text).toContain('/health/live')
  expect(text).toContain('/health/ready')
})
