/** Whether something may be told: the person's own always, what a space shares if no list is given or the space is in it. */
export function isFromChosen(
  space: string | undefined,
  chosen: readonly string[] | undefined,
): boolean {
  return space === undefined || chosen === undefined || chosen.includes(space)
}
