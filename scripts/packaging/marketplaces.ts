import { json, NAME, type PackageFacts, TITLE } from './package-facts.ts'

/** A repository is its own shop: the agents look for these files in its root. */
export function marketplaces(facts: PackageFacts): [string, string][] {
  const { author, description, version } = facts
  const entry = { name: NAME, description, version }
  const shop = { name: NAME, owner: { name: author } }
  return [
    [
      '.claude-plugin/marketplace.json',
      json({
        ...shop,
        metadata: { description, version },
        plugins: [{ ...entry, source: './plugins/claude-code', category: 'productivity' }],
      }),
    ],
    [
      '.cursor-plugin/marketplace.json',
      json({
        ...shop,
        metadata: { description, version },
        plugins: [{ ...entry, source: './plugins/cursor' }],
      }),
    ],
    [
      '.agents/plugins/marketplace.json',
      json({
        name: NAME,
        interface: { displayName: TITLE },
        plugins: [
          {
            name: NAME,
            source: { source: 'local', path: './plugins/codex' },
            policy: { installation: 'AVAILABLE', authentication: 'ON_INSTALL' },
            category: 'Productivity',
          },
        ],
      }),
    ],
  ]
}
