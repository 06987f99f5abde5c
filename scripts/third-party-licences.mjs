// The licences of every package that a build put into its files.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const OWN = new URL('../LICENSE', import.meta.url)
const RULE = `\n\n${'-'.repeat(80)}\n\n`

/** Their folders: two packages may bring their own versions of a third. */
function foldersIn(metafiles) {
  const folders = new Set()
  for (const { inputs } of metafiles) {
    for (const path of Object.keys(inputs)) {
      const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0]
      if (folder) folders.add(folder)
    }
  }
  return folders
}

export function thirdPartyLicences(metafiles, more = []) {
  const named = more.map((name) => `node_modules/${name}`)
  const folders = [...new Set([...foldersIn(metafiles), ...named])].sort()
  return `Secretary contains these packages.${RULE}${folders.map(licenceOf).join(RULE)}\n`
}

function licenceOf(folder) {
  const { name, version, license, author } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  const file =
    existsSync(folder) && readdirSync(folder).find((one) => /^(licen[cs]e|copying)/i.test(one))
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : textFor(license, author)
  return `${name} ${version} (${license})\n\n${text}`
}

/** A package without a licence file names its licence, whose text is our own, and its author. */
function textFor(license, author) {
  const holder = typeof author === 'string' ? author : author?.name
  if (license !== 'MIT' || !holder) throw new Error(`the text of ${license} of ${holder} is needed`)
  return readFileSync(OWN, 'utf8')
    .trim()
    .replace(/^Copyright.*$/m, `Copyright ${holder}`)
}
