import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findCycles, packageOf, readSources } from '../../scripts/package-map.mjs'

const root = new URL('../..', import.meta.url).pathname
const sources = readSources()
const names = [...new Set(sources.map((source) => source.package))]
/** Arrows point one way: from the product to what it is built of. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  search: ['core'],
  transcripts: ['core'],
  secretary: ['core', 'search', 'transcripts'],
}

function declared(name: string): readonly string[] {
  const text = readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')
  return Object.keys((JSON.parse(text) as { dependencies: Record<string, string> }).dependencies)
}

describe('the packages', () => {
  it('are the four that the architecture names', () =>
    expect(names.sort()).toEqual(Object.keys(MAY_IMPORT).sort()))

  it('import each other in one direction only', () => {
    const wrong = sources.flatMap((source) =>
      source.files
        .map(packageOf)
        .filter((name) => name !== source.package && !MAY_IMPORT[source.package]?.includes(name))
        .map((name) => `${source.path} imports ${name}`),
    )
    expect(wrong).toEqual([])
  })

  it('declare what they import, and import what they declare', () => {
    for (const name of names) {
      const own = sources.filter((source) => source.package === name)
      const used = new Set([
        ...own.flatMap(({ vendors }) => vendors),
        ...own
          .flatMap(({ files }) => files.map(packageOf))
          .filter((other) => other !== name)
          .map((other) => `@secretary-mcp/${other}`),
      ])
      // A package whose files are asked for by name, and not imported.
      const resolved = name === 'search' ? ['@vscode/tree-sitter-wasm'] : []
      expect([...used, ...resolved].sort(), name).toEqual([...declared(name)].sort())
    }
  })

  it('have no sibling folders that import each other in a circle', () =>
    expect(findCycles(sources)).toEqual([]))

  it('would report such a circle', () => {
    const one = { path: 'packages/core/src/a/one.ts', files: ['packages/core/src/b/deep/two.ts'] }
    const two = { path: 'packages/core/src/b/deep/two.ts', files: ['packages/core/src/a/one.ts'] }
    expect(findCycles([one, two])).toEqual(['packages/core/src: a, b'])
  })
})
