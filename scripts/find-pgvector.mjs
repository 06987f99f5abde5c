import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const DEBIAN_PROGRAMS = '/usr/lib/postgresql'

/** Where Debian's PostgreSQL of a version keeps its extensions. */
export const extensionsOf = (version) => `/usr/share/postgresql/${version}/extension`

/** Versions of PostgreSQL that are installed from Debian's packages. */
export function debianVersions() {
  return existsSync(DEBIAN_PROGRAMS)
    ? readdirSync(DEBIAN_PROGRAMS).filter((one) =>
        existsSync(join(DEBIAN_PROGRAMS, one, 'bin/initdb')),
      )
    : []
}

/** The folder of the programs of a PostgreSQL that has pgvector; undefined if there is none. */
export function findProgramsWithVectors() {
  if (process.env.PGVECTOR_PROGRAMS) return process.env.PGVECTOR_PROGRAMS
  const version = debianVersions().find((one) =>
    existsSync(join(extensionsOf(one), 'vector.control')),
  )
  return version && join(DEBIAN_PROGRAMS, version, 'bin')
}
