import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = new URL('../..', import.meta.url).pathname
const json = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))

const proofs: Record<string, string> = json('test/agents/proofs.json')
const { agents }: { agents: Record<string, object> } = json('test/agents/versions.json')
const proven: Record<string, { proven: string[] }> = json('docs/agents.json')
const limits: Record<string, { cells: string[]; why: string }[]> = json('test/agents/limits.json')
const excused = (id: string) => limits[id]?.flatMap(({ cells }) => cells) ?? []

describe('the table of agents', () => {
  it('has a proof or a reason in every cell', () => {
    const empty = Object.keys(agents).flatMap((id) =>
      Object.keys(proofs)
        .filter((proof) => !proven[id]?.proven.includes(proof))
        .filter((proof) => ![...excused(id), ...excused('*')].includes(proof))
        .map((proof) => `${id}: ${proof}`),
    )
    expect(empty).toEqual([])
  })

  it('gives no reason for what is proven', () => {
    const idle = Object.keys(agents).flatMap((id) =>
      excused(id)
        .filter((proof) => proven[id]?.proven.includes(proof))
        .map((proof) => `${id}: ${proof}`),
    )
    expect(idle).toEqual([])
  })
})
