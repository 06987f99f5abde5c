import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stageServer } from '../../apps/vscode/scripts/stage-server.mjs'
import { platformModules } from './platform-modules.mjs'
import { runStep } from './run-step.mjs'

/** A `.mcpb` for desktop apps: the manifest, and the server with what it needs on one platform. */
export function desktopBundle(root, out, { version }, platform) {
  const tools = join(root, 'test', 'tools')
  const mcpb = join(tools, 'node_modules', '@anthropic-ai', 'mcpb', 'dist', 'cli', 'cli.js')
  if (!existsSync(mcpb)) runStep('npm', ['ci', '--no-audit', '--no-fund'], tools)
  const folder = mkdtempSync(join(tmpdir(), 'secretary-bundle-'))
  cpSync(join(root, 'plugins', 'claude-desktop', 'manifest.json'), join(folder, 'manifest.json'))
  stageServer(root, join(folder, 'server'), {
    platform,
    modules: platformModules(root, platform),
  })
  const file = join(out, `secretary-${version}-${platform}.mcpb`)
  runStep('node', [mcpb, 'pack', folder, file], root)
  rmSync(folder, { recursive: true, force: true })
  return file
}
