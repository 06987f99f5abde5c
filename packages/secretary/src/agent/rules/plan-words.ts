import type { Plan } from './rule.ts'

type Level = Pick<Plan, 'priority' | 'state'>

/** Tried in this order: “not urgent” before “urgent”, “unblocked” before “blocked”. */
const LEVELS: ReadonlyArray<readonly [RegExp, Level]> = [
  [
    /(?<!\p{L})(?:normal|medium|usual|default|обычн\p{L}+|средн\p{L}+|нормальн\p{L}+)(?: priority| приоритет\p{L}*)(?!\p{L})/u,
    { priority: 'normal' },
  ],
  [/(?<!\p{L})(?:приоритет\p{L}* )(?:на )?(?:обычн|средн|нормальн)\p{L}+/u, { priority: 'normal' }],
  [
    /(?<!\p{L})(?:not|isn't|isnt|aren't|arent|no longer|less|не|менее|уже не|не так(?:ая|ой)? уж?)(?: (?:that|so|very|really|all that|too|очень|так|такая|такой|такое|особо|особенно|слишком|уж))?(?: и)? (?:urgent|important|pressing|critical|срочн\p{L}+|важн\p{L}+|горит|горят|критичн\p{L}+)(?!\p{L})/u,
    { priority: 'low' },
  ],
  [
    /(?<!\p{L})(?:low(?:er|est)?|bottom|minor)[- ](?:priority|prio)(?!\p{L})|(?<!\p{L})(?:priority|prio)(?: (?:to|is|as|of|level))?:? (?:low(?:er|est)?|minor)(?!\p{L})/u,
    { priority: 'low' },
  ],
  [
    /(?<!\p{L})(?:низк|наименьш|минимальн|невысок)\p{L}+ приоритет\p{L}*|приоритет\p{L}*(?: на| до|:)? (?:пониже|низк\p{L}+|минимальн\p{L}+)|(?<!\p{L})(?:не к спеху|подожд[её]т|может подождать|can wait)(?!\p{L})/u,
    { priority: 'low' },
  ],
  [
    /(?<!\p{L})(?:high(?:er|est)?|top|max(?:imum)?|urgent)[- ](?:priority|prio)(?!\p{L})|(?<!\p{L})(?:priority|prio)(?: (?:to|is|as|of|level))?:? (?:high(?:er|est)?|top|max(?:imum)?|urgent|1|one)(?!\p{L})/u,
    { priority: 'high' },
  ],
  [
    /(?<!\p{L})(?:высок|высш|наивысш|максимальн|больш)\p{L}+ приоритет\p{L}*|приоритет\p{L}*(?: на| до|:)? (?:повыше|высок\p{L}+|максимальн\p{L}+|высш\p{L}+)/u,
    { priority: 'high' },
  ],
  [
    /(?<!\p{L})(?:(?:very|super|really|most|очень|самое|самые|самая) )?(?:urgent|important|critical|asap|срочн\p{L}+|важн\p{L}+|критичн\p{L}+|горит|горят|приоритетн\p{L}+)(?!\p{L})/u,
    { priority: 'high' },
  ],
  [
    /(?<!\p{L})(?:unblock(?:ed)?|not blocked(?: any ?more)?|no longer (?:blocked|stuck)|(?:isn't|isnt|aren't|arent) (?:blocked|stuck)(?: any ?more)?|разблок\p{L}+|больше не (?:заблок|жд|вис)\p{L}+)(?!\p{L})/u,
    { state: 'open' },
  ],
  [
    /(?<!\p{L})(?:blocked|blocking|stuck|on hold|waiting (?:for|on)|заблок\p{L}+|застр\p{L}+|в ожидании|на паузе|на паузу|приостанов\p{L}+|ожида\p{L}+|стопор\p{L}*|заст\p{L}+|висит|висят|отложен\p{L}*)(?!\p{L})/u,
    { state: 'blocked' },
  ],
  [
    /(?<!\p{L})(?:in progress|in the works|under ?way|working on|work on|being worked on|(?:i'm|im|i am|currently|now) doing|(?:i've |i |have |just )?(?:started|begun|began)|busy with|picked up|в работе|в процессе|занима\p{L}+|работаю|работаем|приступ\p{L}+|взял(?:ся|ась|ись)?|взяла|начал[аи]?|начат\p{L}*|сел[аи]? за|делаю|пилю)(?!\p{L})/u,
    { state: 'doing' },
  ],
]

/** What a sentence says of rank and progress, and the sentence without it. */
export function levelIn(text: string): { plan: Level; rest: string } | undefined {
  let plan: Level = {}
  let rest = text
  for (const [pattern, level] of LEVELS) {
    const [key] = Object.keys(level) as (keyof Level)[]
    if (!key || plan[key] !== undefined) continue
    const match = pattern.exec(rest.toLowerCase())
    if (!match) continue
    plan = { ...plan, ...level }
    rest = `${rest.slice(0, match.index)} ${rest.slice(match.index + match[0].length)}`
  }
  const ranked = plan.priority === undefined ? rankIn(rest) : undefined
  if (ranked) {
    plan = { ...plan, priority: ranked.priority }
    rest = ranked.rest
  }
  return Object.keys(plan).length > 0 ? { plan, rest: rest.replace(/\s+/g, ' ').trim() } : undefined
}

const PRIORITY = /(?<!\p{L})(?:priority|prio|приоритет\p{L}*)(?!\p{L})/u
const RANKS: ReadonlyArray<readonly [NonNullable<Plan['priority']>, RegExp]> = [
  [
    'low',
    /(?<!\p{L})(?:to |до |на )?(?:low(?:er|est)?|minor|down|низк\p{L}+|пониже|понизь|снизь|минимальн\p{L}+)(?!\p{L})/u,
  ],
  [
    'normal',
    /(?<!\p{L})(?:to |до |на )?(?:normal|medium|обычн\p{L}+|средн\p{L}+|нормальн\p{L}+)(?!\p{L})/u,
  ],
  [
    'high',
    /(?<!\p{L})(?:to |до |на )?(?:high(?:er|est)?|top|up|raise|max(?:imum)?|высок\p{L}+|высш\p{L}+|повыше|повысь|подними|максимальн\p{L}+)(?!\p{L})/u,
  ],
]

/** “Raise the priority of the report”: the rank stands apart from its name. */
function rankIn(text: string): { priority: Plan['priority']; rest: string } | undefined {
  const lower = text.toLowerCase()
  const name = PRIORITY.exec(lower)
  const found =
    name && RANKS.map(([rank, word]) => [rank, word.exec(lower)] as const).find(([, at]) => at)
  const at = found?.[1]
  if (!name || !found || !at) return undefined
  const [first, second] = name.index < at.index ? [name, at] : [at, name]
  const rest = [
    text.slice(0, first.index),
    text.slice(first.index + first[0].length, second.index),
    text.slice(second.index + second[0].length),
  ]
  return { priority: found[0], rest: rest.join(' ') }
}

const TAGGED =
  /(?<!\p{L})(?:tagged|labell?ed|with (?:the |a )?(?:tag|label)s?|under (?:the )?(?:tag|label)|(?:tag|label)(?: is|:)?|с (?:меткой|тегом|ярлыком|метками|тегами)|по (?:метке|тегу)|под (?:меткой|тегом)|(?:метка|тег|ярлык):?|помеченн?\p{L}*(?: как)?)(?: (?:as|with|with the tag))? ["'“«]?(?<label>[\p{L}\p{N}][\p{L}\p{N}_-]*)["'”»]?/u

/** “tagged backend”, “с меткой дом”, “#home”. */
export function labelIn(text: string): { label: string; rest: string } | undefined {
  const match =
    TAGGED.exec(text.toLowerCase()) ?? /(?:^| )#(?<label>\p{L}[\p{L}\p{N}_-]*)/u.exec(text)
  const label = match?.groups?.label
  if (!match || !label) return undefined
  const rest = `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`
  return { label, rest: rest.replace(/\s+/g, ' ').trim() }
}
