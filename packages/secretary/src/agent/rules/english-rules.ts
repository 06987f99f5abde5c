import { about, add, type Rule, update } from './rule.ts'

const DONE = '(?:done|completed?|finished|closed|ticked(?: off)?|checked(?: off)?)'
const TASK = '(?:tasks?|to-?dos?|items?)'
const MY_LIST = `(?:(?:my|the) )?(?:(?:to-?do|task)s? ?)?(?:list|tasks|to-?dos)`
const OPEN = '(?:open|pending|remaining|unfinished|incomplete|outstanding|left|not done|active)'

/** Tried in this order; the first that fits decides. The order matters: “mark 3 as not done” before “mark 3 as done”. */
export const englishRules: readonly Rule[] = [
  [
    /^(?:hi|hello|hey|good (?:morning|afternoon|evening)|thanks?(?: you)?)\b[\s\w]{0,12}[!.]?$/,
    () => ({ kind: 'greeting' }),
  ],
  [
    /^(?:help|what can you do|how (?:does this work|do i use)|commands?)\b.*$/,
    () => ({ kind: 'help' }),
  ],
  [
    /\b(?:high|low|top|medium) priority\b|\bpriorit(?:y|ise|ize)\b|\b(?:assign|tag|label) (?:it|this|task|#?\d+)\b|\bdue date\b/,
    () => ({ kind: 'unsupported' }),
  ],

  [
    new RegExp(
      `^(?:mark|set) (?<t>.+?) (?:back )?(?:as |to )?(?:not ${DONE}|undone|incomplete|uncompleted?|open|pending|to-?do)(?: again)?$`,
    ),
    ({ t }) => about('reopen', t),
  ],
  [
    /^(?:undo|take (?:it|that) back|revert)(?: (?:it|that|this|the last (?:change|one)))?$/,
    () => ({ kind: 'undo' }),
  ],
  [
    new RegExp(`^(?<t>.+?) (?:is|are|was|were) ?(?:n't|not) (?:yet )?${DONE}(?: yet)?$`),
    ({ t }) => about('reopen', t),
  ],
  [
    /^(?:i|we) (?:have not|haven't|did not|didn't) (?:finish(?:ed)?|complete(?:d)?|do(?:ne)?) (?<t>.+?)(?: yet)?$/,
    ({ t }) => about('reopen', t),
  ],
  [
    /^(?:re-?open|undo|un-?complete|un-?check|restore)(?: (?<t>.+))?$/,
    ({ t }) => about('reopen', t),
  ],

  [
    /^(?:change|set|update|edit) (?:the )?(?:description|details|notes?) (?:of|for|on) (?<t>.+?) (?:to|as):? (?<d>.+)$/,
    ({ t, d }) => update(t, { description: d }),
  ],
  [
    /^(?:add|put) (?:a |the )?(?:description|details|notes?) (?:to|on) (?<t>.+?): ?(?<d>.+)$/,
    ({ t, d }) => update(t, { description: d }),
  ],
  [
    /^(?:change|set|update|edit) (?:the )?(?:title|name|text) (?:of|for) (?<t>.+?) (?:to|as):? (?<n>.+)$/,
    ({ t, n }) => update(t, { title: n }),
  ],
  [
    /^(?:rename|retitle|reword) (?<t>.+?) (?:to|as|into):? (?<n>.+)$/,
    ({ t, n }) => update(t, { title: n }),
  ],
  [
    /^(?:change|update|edit) (?<t>.+?) (?:to(?: say)?|into):? (?<n>.+)$/,
    ({ t, n }) => update(t, { title: n }),
  ],
  [
    /^(?<t>(?:task )?#?\d+) should (?:say|be|read|be called):? (?<n>.+)$/,
    ({ t, n }) => update(t, { title: n }),
  ],
  [/^(?:rename|change|update|edit)(?: (?:a|the|my))?(?: (?<t>.+))?$/, ({ t }) => update(t, {})],

  [
    new RegExp(
      `^(?:mark|set|check|tick|cross) (?:off )?(?<t>.+?) (?:as |to |off as )?(?:${DONE}|complete|off)$`,
    ),
    ({ t }) => about('complete', t),
  ],
  [
    /^(?:complete|finish|close|check off|tick off|cross off|tick|resolve)(?: (?<t>.+))?$/,
    ({ t }) => about('complete', t),
  ],
  [
    /^(?:i(?:'ve| have)?|we(?:'ve| have)?) (?:just |already )?(?:done|finished|completed|did|took care of|got done)(?: with)? (?<t>.+)$/,
    ({ t }) => about('complete', t),
  ],
  [/^(?:i'm |i am )?done with (?<t>.+)$/, ({ t }) => about('complete', t)],

  [
    new RegExp(
      `^(?:delete|remove|erase|drop|scrap|cancel|discard|get rid of|throw (?:away|out)|take) (?<t>.+?) (?:from|off) ${MY_LIST}$`,
    ),
    ({ t }) => about('delete', t),
  ],
  [
    /^(?:delete|remove|erase|drop|scrap|cancel|discard|get rid of|throw (?:away|out)|clear(?: out)?)(?: (?<t>.+))?$/,
    ({ t }) => about('delete', t),
  ],
  [
    /^(?:i (?:don't|do not|no longer) need|forget about|never ?mind) (?<t>.+?)(?: any ?more)?$/,
    ({ t }) => about('delete', t),
  ],

  [
    new RegExp(
      `^(?:what|which|show|list|display|see|give|tell|view|how many)\\b.*\\b${DONE}\\b.*$`,
    ),
    ({ all = '' }) => ({
      kind: 'list',
      completed: !/\b(?:not|n't|isn't|aren't|to be|left|un)\b/.test(all),
    }),
  ],
  [
    /^(?:what (?:have i|did i) (?:do|done|finish(?:ed)?|complete[d]?|get done)).*$/,
    () => ({ kind: 'list', completed: true }),
  ],
  [
    new RegExp(
      `^(?:what|which|show|list|display|see|give|tell|view|how many)\\b.*(?:${OPEN}|to do\\b|should i do|must i do|next).*$`,
    ),
    () => ({ kind: 'list', completed: false }),
  ],
  [
    new RegExp(
      `^(?:show|list|display|see|view|give|get|read|tell|what(?:'s| is| are)?|which|do i have)\\b.*\\b(?:${TASK}|list|agenda|everything)\\b.*$`,
    ),
    () => ({ kind: 'list' }),
  ],
  [
    new RegExp(
      `^(?:my |all |the )?(?:all )?(?:${OPEN} )?(?:${TASK}|to-?do list|task list|list)\\??$`,
    ),
    ({ all = '' }) =>
      new RegExp(OPEN).test(all) ? { kind: 'list', completed: false } : { kind: 'list' },
  ],
  [
    /^(?:anything|is there anything) (?:left|to do|open|pending).*$/,
    () => ({ kind: 'list', completed: false }),
  ],

  [
    new RegExp(
      `^(?:add|create|make|new|start|set up|enter|register|schedule|i (?:want|need)) (?:me )?(?:a |an |another |the )?(?:new )?${TASK}$`,
    ),
    () => add(),
  ],
  [
    new RegExp(
      `^(?:add|create|make|new|start|set up|enter|register|schedule) (?:me )?(?:a |an |another )?(?:new )?${TASK}(?: called| named| titled| saying| for me)?(?: to| for|:| -| –)? ?(?<n>.+?)(?:,? (?:with (?:the )?(?:description|details|notes?)|description|details):? (?<d>.+))?$`,
    ),
    ({ n, d }) => add(n, d),
  ],
  [
    new RegExp(`^(?:add|put|include|write|place) (?<n>.+?) (?:to|on|onto|in(?:to)?) ${MY_LIST}$`),
    ({ n }) => add(n),
  ],
  [
    /^(?:remind me|remember|don't (?:let me )?forget|do not forget|make a note|note|jot down)(?: to| about| that|:)? (?<n>.+)$/,
    ({ n }) => add(n),
  ],
  [/^(?:to-?do|task|note): ?(?<n>.+)$/, ({ n }) => add(n)],
  [
    /^(?:i|we) (?:need|have|want|ought|must|should|gotta|got|'ve got|have got)(?: to)? (?<n>.+)$/,
    ({ n }) => add(n),
  ],
  [/^i(?:'ve| have) got to (?<n>.+)$/, ({ n }) => add(n)],
  [/^add:? (?<n>.+)$/, ({ n }) => add(n)],

  [
    new RegExp(`^(?<t>.+?) (?:is|are|has been|was|were) (?:now |already |all )?${DONE}$`),
    ({ t }) => about('complete', t),
  ],
  [new RegExp(`^(?<t>#?\\d+|task #?\\d+)(?: is)?,? ${DONE}$`), ({ t }) => about('complete', t)],
  // “I bought the milk”: something done in the past may be a task that is done.
  [
    /^(?:i |we )?(?:just |already |finally )?(?:bought|called|sent|paid|wrote|fixed|cleaned|booked|read|made|got|\w{3,}ed) (?<t>(?:the |my |a )?\w.+)$/,
    ({ t }) => about('complete', t),
  ],
]
