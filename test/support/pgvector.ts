import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const DEBIAN = '/usr/lib/postgresql'

/** The programs of an installed PostgreSQL that has pgvector. */
export function programsWithVectors(): string {
  const found = process.env.PGVECTOR_PROGRAMS ?? debianPrograms()
  if (found) return found
  throw new Error(
    'This test needs a PostgreSQL with pgvector: `node scripts/install-pgvector.mjs` installs it on Debian, or name the folder of its programs with PGVECTOR_PROGRAMS',
  )
}

function debianPrograms(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : []
  const version = versions.find((one) =>
    existsSync(`/usr/share/postgresql/${one}/extension/vector.control`),
  )
  return version && join(DEBIAN, version, 'bin')
}
