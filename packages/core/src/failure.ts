import type { Result } from './result.ts'

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
  readonly errorType: string
  readonly instruction?: string
  readonly data?: Readonly<Record<string, unknown>>

  constructor(errorType: string, message: string, options: FailureOptions = {}) {
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
