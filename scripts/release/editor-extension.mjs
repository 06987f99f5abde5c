import { copyFileSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { platformModules } from './platform-modules.mjs'
import { runStep } from './run-step.mjs'

/** The extension with the server inside, for one platform. */
export function editorExtension(root, out, platform) {
  const home = join(root, 'apps', 'vscode')
  const args = ['scripts/package.mjs', '--target', platform]
  runStep('node', [...args, '--modules', platformModules(root, platform)], home)
  const [made] = readdirSync(join(home, 'out')).filter((file) => file.endsWith('.vsix'))
  const file = join(out, basename(made))
  copyFileSync(join(home, 'out', made), file)
  return file
}
