import type { AnswerOf } from '../../live/api-types.ts'

export type Entry = AnswerOf<'get /api/v1/spaces/{space}/audit'>['entries'][number]

const PAST: Readonly<Record<string, string>> = {
  complete: 'completed',
  confirm: 'confirmed',
  create: 'created',
  delete: 'deleted',
  record: 'recorded',
  remove: 'removed',
  rename: 'renamed',
  share: 'shared',
  unshare: 'stopped sharing',
  update: 'changed',
}

/** What somebody did, as a sentence without its subject. */
export function changeSentence({ user, action, subject: { kind, id }, text }: Entry): string {
  if (kind === 'space') return action === 'rename' ? `renamed ${text}` : `created ${text}`
  if (kind === 'member') {
    if (action === 'add') return `added ${id} as ${text}`
    if (action === 'invite') return `invited ${id} as ${text}`
    if (action === 'uninvite') return `took back the invitation of ${id}`
    if (action === 'join') return `joined as ${text}`
    if (action === 'decline') return 'declined the invitation'
    if (action === 'role') return `changed the role of ${id}: ${text}`
    return user === id ? 'left' : `removed ${id}`
  }
  const about = text === '' ? '' : ` (${text})`
  return `${PAST[action] ?? action} ${kind} ${id}${about}`
}
