import { readFileSync, realpathSync, statSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { basename, dirname, parse, resolve } from 'node:path'
import type { Config } from './config.ts'

/** Within one, names such as `config` no longer tell what they hold. */
const FOLDERS_OF_KEYS =
  /[/\\]\.(ssh|aws|azure|gnupg|kube|password-store|secrets)([/\\]|$)|[/\\]\.config[/\\](gcloud|gh|op|rclone)([/\\]|$)/i

type Places = Pick<Config, 'project' | 'home' | 'userHome' | 'allowAnyProject'>

/** Folders that hold one home for each user. */
const FOLDERS_OF_HOMES = /^(\/home|\/users|\/var\/home|\/export\/home|[a-z]:\\users)$/i

/**
 * Why a folder is no project, in one sentence; undefined where it may be one. A client without an open folder
 * starts us in the home, where reading files would mean reading keys and mail.
 */
export function noProjectReason({
  project,
  home,
  userHome,
  allowAnyProject,
}: Places): string | undefined {
  if (allowAnyProject === 'on') return undefined
  const real = realOr(project)
  const what = whatItIs(real, { home, userHome })
  return (
    what &&
    `No project is open: ${project} is ${what}. Start Secretary in a project folder, name one with --project, or allow this one with --allow-any-project.`
  )
}

function whatItIs(
  folder: string,
  { home, userHome }: Pick<Places, 'home' | 'userHome'>,
): string | undefined {
  if (parse(folder).root === folder) return 'the root of the file system'
  const homes = [...new Set([userHome, homedir(), userInfo().homedir, ...homesOfOthers()])].filter(
    (path) => path !== '' && parse(path).root !== path,
  )
  if (homes.some((path) => isSame(path, folder)) || looksLikeHome(folder)) return 'a home folder'
  if (FOLDERS_OF_KEYS.test(folder)) return 'a folder of keys'
  if (isSame(home, folder)) return 'the folder of Secretary’s own data'
  if (FOLDERS_OF_HOMES.test(folder) || homes.some((path) => isAbove(folder, path)))
    return 'above a home folder'
  return isAbove(folder, home) ? 'above the folder of Secretary’s own data' : undefined
}

function looksLikeHome(folder: string): boolean {
  return FOLDERS_OF_HOMES.test(dirname(folder)) && basename(folder).toLowerCase() !== 'shared'
}

/** People have user ids from 1000 on; the homes of services are often the programs themselves. */
function homesOfOthers(): string[] {
  return textOr('/etc/passwd')
    .split('\n')
    .map((line) => line.split(':'))
    .filter(([, , id]) => id === '0' || (Number(id) >= 1000 && Number(id) < 65534))
    .map(([, , , , , path = '']) => path)
}

function isAbove(folder: string, path: string): boolean {
  const start = realOr(path)
  for (let above = dirname(start); ; above = dirname(above)) {
    if (isSame(above, folder)) return true
    if (dirname(above) === above) return false
  }
}

/** By what the file system says: links, letter case and mounts give one folder many names. */
function isSame(one: string, other: string): boolean {
  if (resolve(one) === other) return true
  const [a, b] = [identityOf(one), identityOf(other)]
  return a !== undefined && a === b
}

function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true })
    return ino === 0n ? undefined : `${dev}/${ino}`
  } catch {
    return undefined
  }
}

function realOr(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return resolve(path)
  }
}

function textOr(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
