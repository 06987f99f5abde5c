type Forget = (mayStillAct: boolean) => void

const forgetters = new Set<Forget>()

/** Whatever is kept of a person besides what is on screen registers here how it is forgotten. */
export function whenPersonLeaves(forget: Forget): void {
  forgetters.add(forget)
}

/** Nothing of one person's may be seen, undone or sent by the next. Who signs out may still finish what was begun. */
export function personLeaves(mayStillAct: boolean): void {
  for (const forget of forgetters) forget(mayStillAct)
}
