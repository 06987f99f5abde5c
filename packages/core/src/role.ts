/** An operator changes what all users share and sees the whole; a member changes and sees their own. */
export type Role = 'operator' | 'member'

export const ROLES = ['operator', 'member'] as const
