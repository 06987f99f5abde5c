import { join } from 'node:path'
import { runStep } from './run-step.mjs'

/** Gemini CLI takes the archive that is named after its platform; ours is the same for each. */
const GEMINI_PLATFORMS = ['darwin', 'linux', 'win32']

export function pluginArchives(root, out, { version }) {
  const archive = (name, folder, ...paths) => {
    const file = join(out, name)
    runStep('tar', ['-czf', file, '-C', join(root, folder), ...paths], root)
    return file
  }
  return [
    archive(
      `secretary-plugins-${version}.tar.gz`,
      '.',
      '.agents',
      '.claude-plugin',
      '.cursor-plugin',
      'plugins/claude-code',
      'plugins/codex',
      'plugins/cursor',
    ),
    archive(`secretary-skill-${version}.tar.gz`, 'skills', 'secretary'),
    ...GEMINI_PLATFORMS.map((platform) =>
      archive(`${platform}.secretary.tar.gz`, 'plugins/gemini-cli', '.'),
    ),
  ]
}
