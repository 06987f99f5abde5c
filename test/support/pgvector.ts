import { findProgramsWithVectors } from '../../scripts/find-pgvector.mjs'

/** The programs of an installed PostgreSQL that has pgvector. */
export function programsWithVectors(): string {
  const found = findProgramsWithVectors()
  if (found) return found
  throw new Error(
    'This test needs a PostgreSQL with pgvector: `node scripts/install-pgvector.mjs` installs it on Debian, or name the folder of its programs with PGVECTOR_PROGRAMS',
  )
}
