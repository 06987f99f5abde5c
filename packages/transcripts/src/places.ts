import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type JsonObject, objectIn, objectOf } from './reading/loose-json.ts'

const DEFAULT_DAYS = 30
const DAYS_IN: Readonly<Record<string, number>> = { h: 1 / 24, d: 1, w: 7, m: 30, y: 365 }

/** Where to look for the agents' files: the person's home and what their environment says about it. */
export interface Places {
  readonly home: string
  readonly platform: string
  /** The project of this process: some dialogs are stored in it. */
  readonly project?: string
  readonly codexHome?: string
  readonly claudeConfig?: string
  readonly appData?: string
  readonly xdgConfig?: string
  readonly xdgData?: string
  readonly vscodePortable?: string
  /** The `User` folder of the editor that started this process. */
  readonly vscodeUser?: string
  readonly geminiHome?: string
  readonly copilotHome?: string
  readonly qwenHome?: string
  readonly clineData?: string
  readonly continueHome?: string
  readonly piHome?: string
  readonly factoryHome?: string
  readonly kimiHome?: string
}

/** The settings say where, except for the system's own kind. */
export function placesOf(config: Omit<Places, 'home' | 'platform'> & { userHome: string }): Places {
  return { ...config, home: config.userHome, platform: process.platform }
}

/** Each agent's own folder, moved or not. */
export function agentFolders(places: Places) {
  const { home } = places
  return {
    claude: places.claudeConfig ?? join(home, '.claude'),
    codex: places.codexHome ?? join(home, '.codex'),
    gemini: join(places.geminiHome ?? home, '.gemini'),
    copilot: places.copilotHome ?? join(home, '.copilot'),
    qwen: places.qwenHome ?? join(home, '.qwen'),
    cline: places.clineData ?? join(home, '.cline', 'data'),
    continue: places.continueHome ?? join(home, '.continue'),
    pi: places.piHome ?? join(home, '.pi', 'agent'),
    factory: join(places.factoryHome ?? home, '.factory'),
    kimi: places.kimiHome ?? join(home, '.kimi-code'),
  }
}

/** The folder in which programs keep their user data. */
export function userDataRoot({ home, platform, appData, xdgConfig }: Places): string {
  if (platform === 'win32') return appData ?? join(home, 'AppData', 'Roaming')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  return xdgConfig ?? join(home, '.config')
}

/** VS Code and the programs built from it that keep its chat. */
const EDITORS = [
  'Code',
  'Code - Insiders',
  'Code - Exploration',
  'VSCodium',
  'VSCodium - Insiders',
  'Code - OSS',
]

/** The `User` folders of all editors there may be, whether or not they exist. */
export function editorUserFolders(places: Places): string[] {
  const { home, vscodePortable, vscodeUser } = places
  const folders = [
    ...(vscodeUser ? [vscodeUser] : []),
    ...EDITORS.map((name) => join(userDataRoot(places), name, 'User')),
    join(dataRoot(places), 'code-server', 'User'),
    join(home, '.vscode-server', 'data', 'User'),
    join(home, '.vscode-server-insiders', 'data', 'User'),
    join(home, '.var', 'app', 'com.visualstudio.code', 'config', 'Code', 'User'),
    join(home, '.var', 'app', 'com.vscodium.codium', 'config', 'VSCodium', 'User'),
    ...(vscodePortable ? [join(vscodePortable, 'user-data', 'User')] : []),
  ]
  return [...new Set(folders)]
}

export function cursorUserFolder(places: Places): string {
  return join(userDataRoot(places), 'Cursor', 'User')
}

/** Where programs of the Linux kind keep data, on every platform. */
export function dataRoot({ home, xdgData }: Places): string {
  return xdgData ?? join(home, '.local', 'share')
}

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
