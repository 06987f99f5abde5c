import type { Caller } from '@secretary-mcp/core/tool.ts'

/** Whose knowledge it is and of which project: a person's own, or what a space has in common. */
export interface Owner extends Pick<Caller, 'user' | 'project'> {
  /** Id of the space; the user is then the one who asks. */
  readonly space?: string
}
