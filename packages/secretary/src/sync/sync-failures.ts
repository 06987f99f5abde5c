import { Failure } from '@secretary-mcp/core/failure.ts'

const AGAIN =
  '`secretary sync leave --remove`, then `secretary sync init` with the same key, sends everything again'

export function unreadableOwnLog(): Failure {
  return new Failure(
    'sync_damaged',
    `What this machine sent before is no longer there, or was changed; nothing was sent. ${AGAIN}`,
  )
}

export function anotherDatabase(): Failure {
  return new Failure(
    'sync_database_changed',
    `This is not the database of the last round, so what it lacks does not count as deleted; nothing was sent. ${AGAIN}`,
  )
}

export function notSetUp(): Failure {
  return new Failure('sync_not_set_up', 'Run `secretary sync init` first')
}

export function underWay(): Failure {
  return new Failure(
    'sync_busy',
    'Another `secretary sync` is running; try again when it has ended',
  )
}

export function unreachable(place: string, reason: string): Failure {
  return new Failure('sync_unreachable', `${place} cannot be used: ${reason}`)
}

export function alreadySetUp(place: string): Failure {
  return new Failure(
    'already_exists',
    `This machine syncs through ${place} already; \`secretary sync leave\` ends that`,
  )
}

export function keyNeeded(): Failure {
  return new Failure(
    'key_needed',
    'Another machine has written there: enter the key that `secretary sync init` printed on it, with --key or SECRETARY_SYNC_KEY',
  )
}
