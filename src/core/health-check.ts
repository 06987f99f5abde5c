export interface Health {
  readonly state: 'good' | 'warning' | 'bad'
  readonly detail: string
  /** What the person can do about it. */
  readonly mend?: string
}

/** Something that can be wrong with an installation; `secretary doctor` and the page run them all. */
export interface HealthCheck {
  readonly name: string
  run(): Promise<Health>
}
