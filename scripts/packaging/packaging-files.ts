import { bundleManifest } from './bundle-manifest.ts'
import { marketplaces } from './marketplaces.ts'
import { json, NAME, type PackageFacts } from './package-facts.ts'
import { plugins } from './plugins.ts'
import { serverJson } from './server-json.ts'
import { skillText } from './skill-text.ts'

/** What the shops and the agents read of us: path → text. */
export function packagingFiles(facts: PackageFacts): Map<string, string> {
  return new Map([
    ['server.json', json(serverJson(facts))],
    ['plugins/claude-desktop/manifest.json', json(bundleManifest(facts))],
    [`skills/${NAME}/SKILL.md`, skillText(facts)],
    ...marketplaces(facts),
    ...plugins(facts),
  ])
}
