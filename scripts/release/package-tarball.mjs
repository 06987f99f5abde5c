import { join } from 'node:path'
import { runStep } from './run-step.mjs'

/** The build is the one that is there: `npm run release` makes it first. */
export function packageTarball(root, out) {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', out]
  const [{ filename }] = Object.values(JSON.parse(runStep('npm', args, root)))
  return join(out, filename)
}
