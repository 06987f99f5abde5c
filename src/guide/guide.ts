import { join } from 'node:path'
import type { Changes } from '../core/changes.ts'
import type { Result } from '../core/result.ts'
import type { Caller } from '../core/tool.ts'
import { type Content, getContent } from './content.ts'
import { Library } from './documents/library.ts'
import { FlagService } from './flags.ts'
import type { GuideStore } from './guide-store.ts'
import { openProject, type Project } from './project/project.ts'

interface Parts {
  readonly store: GuideStore
  readonly changes: Changes
  /** Documents that come with the package. */
  readonly shipped: string
  readonly home: string
  /** Where the person keeps documents; a folder in the home otherwise. */
  readonly docroot?: string
}

/** The house rules: documents on disk, chosen by what a project has stored. */
export class Guide {
  readonly store: GuideStore
  readonly library: Library
  readonly flags: FlagService

  constructor({ store, changes, shipped, home, docroot }: Parts) {
    this.store = store
    this.library = new Library({ shipped, user: docroot ?? join(home, 'docroot') }, () => changes.announce({ kind: 'resources' }))
    this.flags = new FlagService(store)
  }

  open(caller: Caller): Promise<Project> {
    return openProject(caller.project, this.store, this.library)
  }

  async content(caller: Caller, asked: { expression: string; pattern?: string; offset?: number }): Promise<Result<Content>> {
    return getContent(await this.open(caller), caller, asked)
  }
}
