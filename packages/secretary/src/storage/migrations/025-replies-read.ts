import type { Migration } from '../migrate.ts'
import { readDialogsAgain } from './011-dialogs-read-again.ts'

/** Comments on rejected calls and answers to the agent's questions are requests, messages of programs are not. */
export const repliesRead: Migration = {
  name: '025-replies-read',
  up: readDialogsAgain,
}
