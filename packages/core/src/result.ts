import type { FailureKind } from './failure.ts'
/** One thing that is wrong with the arguments of a call. */
export interface Issue {
  readonly path: string
  readonly message: string
  readonly code: string
}

interface Extras {
  /** For the person. */
  readonly message?: string
  /** For the agent: stop remediation, suggest a fix, change mode. */
  readonly instruction?: string
}

interface FailureExtras extends Extras {
  readonly exception?: Error
  readonly issues?: readonly Issue[]
  /** Machine-read companions of the error, such as the path it is about; a family's envelope may show them. */
  readonly data?: Readonly<Record<string, unknown>>
}

/** The one outcome type of every tool. A failure's texts are written by us: they enter a prompt. */
export class Result<T = unknown> {
  readonly success: boolean
  readonly value?: T
  readonly error?: string
  readonly errorType?: FailureKind
  readonly exception?: Error
  readonly message?: string
  readonly instruction?: string
  readonly issues?: readonly Issue[]
  readonly data?: Readonly<Record<string, unknown>>

  private constructor(fields: Partial<Result<T>> & { success: boolean }) {
    this.success = fields.success
    this.value = fields.value
    this.error = fields.error
    this.errorType = fields.errorType
    this.exception = fields.exception
    this.message = fields.message
    this.instruction = fields.instruction
    this.issues = fields.issues
    this.data = fields.data
  }

  static ok<T>(value: T, extras: Extras = {}): Result<T> {
    return new Result<T>({ success: true, value, ...extras })
  }

  static failure(error: string, errorType: FailureKind, extras: FailureExtras = {}): Result<never> {
    return new Result<never>({ success: false, error, errorType, ...extras })
  }

  with(extras: Extras): Result<T> {
    return new Result<T>({ ...this, ...extras })
  }

  toJson(): Record<string, unknown> {
    const all: Record<string, unknown> = {
      success: this.success,
      value: this.value,
      error: this.error,
      error_type: this.errorType,
      exception_type: this.exception?.name,
      exception_message: this.exception?.message,
      message: this.message,
      instruction: this.instruction,
    }
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  }

  toJsonStr(): string {
    return JSON.stringify(this.toJson())
  }
}
