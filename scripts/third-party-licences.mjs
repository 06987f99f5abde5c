// The licences of every package that a build put into its files.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const RULE = `\n\n${'-'.repeat(80)}\n\n`

export function packagesIn(metafiles) {
  const names = new Set()
  for (const { inputs } of metafiles) {
    for (const path of Object.keys(inputs)) {
      const name = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]
      if (name) names.add(name)
    }
  }
  return [...names]
}

export function thirdPartyLicences(metafiles, more = []) {
  const names = [...new Set([...packagesIn(metafiles), ...more])].sort()
  return `Secretary contains these packages.${RULE}${names.map(licenceOf).join(RULE)}\n`
}

function licenceOf(name) {
  const folder = join('node_modules', name)
  const { version, license, author } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  const file =
    existsSync(folder) && readdirSync(folder).find((one) => /^(licen[cs]e|copying)/i.test(one))
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : holderOf(author)
  return `${name} ${version} (${license})\n\n${text}`
}

/** A package without a licence file still names its licence and, mostly, its author. */
function holderOf(author) {
  const name = typeof author === 'string' ? author : author?.name
  return name ? `Copyright ${name}` : 'The package has no licence file of its own.'
}
