import type { Result } from './result.ts'

interface Kind {
  /** What HTTP answers. */
  readonly status: 400 | 403 | 404 | 408 | 409 | 413 | 429 | 500 | 503
  /** The same call may succeed in a moment, with nothing changed. */
  readonly isTransient?: true
}

const WRONG = { status: 400 } satisfies Kind
const FORBIDDEN = { status: 403 } satisfies Kind
const ABSENT = { status: 404 } satisfies Kind
const CONFLICT = { status: 409 } satisfies Kind
const TOO_LARGE = { status: 413 } satisfies Kind
const TOO_OFTEN = { status: 429, isTransient: true } satisfies Kind
const OURS = { status: 500 } satisfies Kind
/** Somebody has to do something first: free the disk, repair a file, start a service. */
const UNAVAILABLE = { status: 503 } satisfies Kind
const BUSY = { status: 503, isTransient: true } satisfies Kind

/** Every way in which a call can fail. Clients see the name as `error_type`. */
const KINDS = {
  validation_error: WRONG,
  out_of_range: WRONG,
  invalid_name: WRONG,
  invalid_dir: WRONG,
  invalid_pattern: WRONG,
  invalid_regex: WRONG,
  invalid_expression: WRONG,
  front_matter_error: WRONG,
  template_error: WRONG,
  absolute_path: WRONG,
  traversal_attempt: WRONG,
  path_traversal: WRONG,
  file_read_error: WRONG,
  not_text: WRONG,
  parse_error: WRONG,
  too_many: WRONG,
  cycle: WRONG,
  forbidden: FORBIDDEN,
  untrusted: FORBIDDEN,
  read_only: FORBIDDEN,
  security_error: FORBIDDEN,
  permission_denied: FORBIDDEN,
  not_found: ABSENT,
  unknown_tool: ABSENT,
  cancelled: { status: 408 },
  no_project: CONFLICT,
  already_completed: CONFLICT,
  already_exists: CONFLICT,
  changed_meanwhile: CONFLICT,
  last_operator: CONFLICT,
  not_empty: CONFLICT,
  too_large: TOO_LARGE,
  rate_limited: TOO_OFTEN,
  too_many_streams: TOO_OFTEN,
  unexpected_error: OURS,
  too_busy: BUSY,
  not_ready: BUSY,
  embedding_failed: BUSY,
  search_failed: UNAVAILABLE,
  not_indexed: UNAVAILABLE,
  tool_unavailable: UNAVAILABLE,
  index_damaged: UNAVAILABLE,
  save_error: UNAVAILABLE,
  storage_busy: BUSY,
  storage_closed: UNAVAILABLE,
  storage_corrupt: UNAVAILABLE,
  storage_failure: UNAVAILABLE,
  storage_full: UNAVAILABLE,
  storage_newer: UNAVAILABLE,
  storage_readonly: UNAVAILABLE,
  storage_unavailable: BUSY,
  storage_unreadable: UNAVAILABLE,
  backup_damaged: UNAVAILABLE,
  backup_failed: UNAVAILABLE,
  backup_unreadable: UNAVAILABLE,
  backup_version: UNAVAILABLE,
  sync_busy: BUSY,
  sync_damaged: UNAVAILABLE,
  sync_database_changed: UNAVAILABLE,
  sync_not_set_up: CONFLICT,
  sync_unreachable: BUSY,
  key_needed: CONFLICT,
  wrong_key: CONFLICT,
  token_unusable: UNAVAILABLE,
  address_in_use: UNAVAILABLE,
  address_refused: UNAVAILABLE,
  address_unknown: UNAVAILABLE,
} satisfies Readonly<Record<string, Kind>>

export type FailureKind = keyof typeof KINDS

export function kindOf(failure: FailureKind): Kind {
  return KINDS[failure]
}

interface FailureOptions {
  readonly instruction?: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/**
 * A foreseen failure, thrown from wherever it is noticed, in our own words: the boundary turns it into a Result.
 * Everything else that is thrown is unexpected and reaches the model only as an incident id.
 */
export class Failure extends Error {
  readonly errorType: FailureKind
  readonly instruction?: string
  readonly data?: Readonly<Record<string, unknown>>

  constructor(errorType: FailureKind, message: string, options: FailureOptions = {}) {
    super(message, { cause: options.cause })
    this.name = 'Failure'
    this.errorType = errorType
    this.instruction = options.instruction
    this.data = options.data
  }

  /** The failure that a call answered with, for a caller that has no shape to pass on. */
  static of({ errorType = 'unexpected_error', error = '', instruction, data }: Result): Failure {
    return new Failure(errorType, error, { instruction, data })
  }
}

/** What a call came to; its failure is thrown. */
export function unwrap<T>({ value, error, errorType, instruction, data }: Result<T>): T {
  if (value !== undefined && value !== null) return value
  throw new Failure(errorType ?? 'not_found', error ?? 'Not found', { instruction, data })
}
