// Puts pgvector beside Debian's PostgreSQL, for tests: the package where this release has one, else built from the source of a later release.
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { debianVersions, extensionsOf, findProgramsWithVectors } from './find-pgvector.mjs'

const PROGRAMS = '/usr/lib/postgresql'
/** Has a pgvector that goes on searching until enough of what it finds passes a filter. */
const LATER_RELEASE = 'trixie'
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg'

/** Does nothing where it is installed, or where there is no apt. */
export function installPgvector() {
  if (findProgramsWithVectors() || !existsSync('/usr/bin/apt-get')) return
  apt('update')
  if (debianVersions().length === 0) apt('install', '-y', '--no-install-recommends', 'postgresql')
  const [version] = debianVersions()
  try {
    apt('install', '-y', '--no-install-recommends', `postgresql-${version}-pgvector`)
  } catch {
    buildFromSource(version)
  }
}

function buildFromSource(version) {
  apt('install', '-y', '--no-install-recommends', 'gcc', 'libc6-dev')
  const folder = mkdtempSync(join(tmpdir(), 'secretary-pgvector-'))
  try {
    // Only the headers: installed, the package would bring a compiler of its own.
    run(folder, 'apt-get', '-qq', 'download', `postgresql-server-dev-${version}`)
    const [headers] = filesIn(folder, '.deb')
    run(folder, 'dpkg', '-x', headers, 'headers')
    run(folder, 'apt-get', '-qq', ...laterRelease(folder), 'update')
    run(folder, 'apt-get', '-qq', ...laterRelease(folder), 'source', '--download-only', 'pgvector')
    const [archive] = filesIn(folder, '.orig.tar.gz')
    mkdirSync(join(folder, 'source'))
    run(folder, 'tar', '-xzf', archive, '-C', 'source', '--strip-components=1')
    const source = join(folder, 'source')
    const include = join(folder, 'headers/usr/include/postgresql')
    const places = [`-I${include}/${version}/server`, `-I${include}/internal`]
    const files = filesIn(join(source, 'src'), '.c').map((name) => `src/${name}`)
    run(source, 'gcc', '-O2', '-fPIC', '-shared', ...places, ...files, '-o', 'vector.so')
    const control = readFileSync(join(source, 'vector.control'), 'utf8')
    const own = /default_version = '(.+)'/.exec(control)?.[1]
    const target = extensionsOf(version)
    install(join(source, 'sql/vector.sql'), join(target, `vector--${own}.sql`))
    install(join(source, 'vector.so'), join(PROGRAMS, version, 'lib/vector.so'))
    install(join(source, 'vector.control'), join(target, 'vector.control'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Lists of their own, so that nothing else is ever installed from there. */
function laterRelease(folder) {
  const list = join(folder, 'sources.list')
  for (const part of ['lists/partial', 'cache/archives/partial'])
    mkdirSync(join(folder, part), { recursive: true })
  writeFileSync(list, `deb-src [signed-by=${KEYRING}] ${archive()} ${LATER_RELEASE} main\n`)
  const settings = {
    'Dir::Etc::sourcelist': list,
    'Dir::Etc::sourceparts': '-',
    'Dir::State::lists': join(folder, 'lists'),
    'Dir::Cache': join(folder, 'cache'),
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])
}

/** The one from which this machine has its packages. */
function archive() {
  const asked = ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages']
  const known = execFileSync('apt-get', asked, { encoding: 'utf8' }).trim().split('\n')
  return known.find((address) => !/security/.test(address)) ?? known[0]
}

function filesIn(folder, ending) {
  return readdirSync(folder).filter((name) => name.endsWith(ending))
}

function apt(...args) {
  asRoot('apt-get', '-qq', ...args)
}

/** A new file in the place of the old one, which a running server may have open. */
function install(from, to) {
  asRoot('install', '-m', '644', from, to)
}

function asRoot(...words) {
  run('/', ...(process.getuid?.() === 0 ? [] : ['sudo', '-n']), ...words)
}

function run(cwd, command, ...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  execFileSync(command, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) installPgvector()
