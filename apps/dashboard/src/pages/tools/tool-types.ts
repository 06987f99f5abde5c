export interface Schema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
}

export interface ToolListing {
  readonly name: string
  readonly title: string
  readonly family: string
  readonly effect: 'read' | 'write' | 'destroy'
  readonly description: string
  readonly short: string
  readonly inputSchema: Schema
  readonly outputSchema: Schema
  readonly examples: readonly {
    readonly args: Readonly<Record<string, unknown>>
    readonly shows: string
  }[]
  readonly limitPerMinute?: number
  readonly tokens: { readonly full: number; readonly compact: number }
}
