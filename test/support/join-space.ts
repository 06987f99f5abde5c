import type { MemberChange } from '@secretary-mcp/secretary/spaces/rules.ts'
import type { Spaces } from '@secretary-mcp/secretary/spaces/spaces.ts'

/** Changes who belongs to a space; whoever is invited by it joins at once. */
export async function changeAndJoin(
  spaces: Spaces,
  actor: { readonly user: string },
  space: string,
  change: MemberChange,
): Promise<void> {
  const user = { user: change.user, role: 'member' } as const
  if (await spaces.changeMember({ role: 'member', ...actor }, space, change))
    await spaces.answerInvitation(user, space, true)
}
