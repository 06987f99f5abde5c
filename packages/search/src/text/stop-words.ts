import { stem } from './stem.ts'

const WORDS =
  'a an and are as at be been but by can do does each for from had has have how i if in into is it its like me my no not of on or our so such that the their then there these they this to us use used using via was we were what when where which who why will with without work works you your between'

/** Words that say nothing about what is looked for; as stems, because they are compared with terms. */
export const STOP_WORDS: ReadonlySet<string> = new Set(WORDS.split(' ').map(stem))
