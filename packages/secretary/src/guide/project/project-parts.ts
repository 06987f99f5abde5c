import type { Caller } from '@secretary-mcp/core/tool.ts'
import type { GuideStore } from '../guide-store.ts'
import type { Project } from './project.ts'

/** What everything that reads and changes a project's record works with. */
export interface ProjectParts {
  readonly store: GuideStore
  readonly open: (caller: Caller) => Promise<Project>
  /** Tells the clients that their list of documents may be another one now. */
  readonly changed: () => void
  readonly now?: () => Date
}

/** Before anything is stored about a project, the store has to know it. */
export async function register(
  { store, now = () => new Date() }: ProjectParts,
  project: Project,
): Promise<void> {
  await store.register(project, now().toISOString())
}
