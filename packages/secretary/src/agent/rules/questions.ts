import type { Question } from './rule.ts'
import { wordsOf } from './words.ts'

/** What the dialogs, the ledger, git and the index answer; undefined where something else is meant. */
export function questionIn(said: string): Question | undefined {
  const lower = said.toLowerCase()
  return whyIn(said, lower) ?? askedIn(lower) ?? fateIn(lower) ?? findIn(said, lower)
}

const REASON =
  /(?<!\p{L})(?:why|who|whose|reason|explain|purpose|what(?:'s|s| is| was)? (?:behind|led to|caused)|what (?:is|does|was)|where (?:does|did)|come from|came from|how come|зачем|почему|кто|чья|чьё|откуда|для чего|с чего|причин\p{L}*|объясни\p{L}*|что за|по чьей|история)(?!\p{L})/u
const LINES =
  /(?<!\p{L})(?:lines?|l|строк\p{L}*|стр) ?(?<line>\d{1,7})(?:(?: ?[-–—] ?| to | through | по | до )(?<end>\d{1,7}))?|(?<before>\d{1,7})(?:-?(?:th|st|nd|rd|[йюя]|[аоуы][йюя]))? (?:line|строк\p{L}*)/u

/** A place in a file, and a word that asks for its reason; the place alone asks for it, too. */
function whyIn(said: string, lower: string): Question | undefined {
  const tokens = said.split(/\s+/).map((token) => token.replace(/^["'“«(`]+|["'”»)`,.?!;:]+$/g, ''))
  const file = tokens.find((token) => PATH.test(token))
  if (file === undefined) return undefined
  const match = PATH.exec(file)
  const lines = LINES.exec(lower)?.groups
  const line = Number(match?.groups?.line ?? lines?.line ?? lines?.before ?? 0)
  if (!REASON.test(lower) && (line === 0 || tokens.length > 1)) return undefined
  const end = Number(match?.groups?.end ?? lines?.end ?? 0)
  const [first, last] = line === 0 ? [1, WHOLE_FILE] : [line, Math.max(line, end)]
  return { kind: 'why', file: match?.groups?.file ?? file, line: first, endLine: last }
}

const PATH =
  /^(?<file>(?:[^\s:]*\/)?[^\s:/]{1,100}\.\p{L}[\p{L}\p{N}]{0,7})(?::(?<line>\d{1,7})(?:-(?<end>\d{1,7}))?)?$/u
const WHOLE_FILE = 1_000_000

/** A task about requests is not a question about them. */
const ORDERS =
  /^(?:add|create|make|new|put|note|jot|write|remember|remind me to|don't forget|todo|task|delete|remove|mark|complete|finish|close|rename|change|i (?:need|have|must|should|want|gotta)|we (?:need|have|must|should)|gotta|добав\p{L}+|созда\p{L}+|заведи|запиши|внеси|напомни(?:те)?(?: мне)? \p{L}+ть|не забыть|нужно|надо|мне (?:нужно|надо)|пора|удали\p{L}*|убери|отметь|заверши|закрой|закончи\p{L}*|переименуй|измени|замени|нов\p{L}+ задач\p{L}*)(?!\p{L})/u
const I_ASKED =
  /(?<!\p{L})(?:did (?:i|we)(?: \p{L}+){0,3} (?:ask|request|say|mention|tell|prompt|instruct|order|bring up|demand)|(?:have|had|did|if|that|what|when|which|ever)? ?(?:i|we|i've|i'd)(?: have| had| ever| already| just| last| first| once)* (?:asked|requested|said|mentioned|told|prompted|instructed|ordered|brought up|demanded|typed)|(?:i|we) (?:ever |already )?(?:ask|asked|told|tell) (?:you|for|about))(?!\p{L})/u
const MY_REQUESTS =
  /(?<!\p{L})(?:my|our|which|what|any|latest|last|recent|previous|first|past|earlier|the)(?: (?:last|latest|recent|previous|first|past|earlier|very|own|few|\d+))* (?:requests?|prompts?|questions?|instructions?|asks)(?!\p{L})|(?<!\p{L})(?:запрос|просьб|промпт)\p{L}*/u
const I_ASKED_RUSSIAN =
  /(?<!\p{L})(?:(?:по)?просил|спрашивал|спросил|говорил|сказал|поручал|поручил|требовал|потребовал|упоминал|упомянул|писал|заказывал|задавал|обращал)(?:а|и|ся|ась|ись)?(?!\p{L})/u

function askedIn(lower: string): Question | undefined {
  if (FATE_OF.test(lower) && FATE_BEGINS.test(lower)) return undefined
  if (BEGAN.test(lower)) return { kind: 'asked', words: '', which: 'first' }
  const isAsked =
    !ORDERS.test(lower) &&
    (I_ASKED.test(lower) || MY_REQUESTS.test(lower) || I_ASKED_RUSSIAN.test(lower))
  if (!isAsked) return undefined
  const words = topicOf(lower)
  const which = FIRST.test(lower) ? 'first' : LAST.test(lower) ? 'last' : undefined
  return { kind: 'asked', words, ...(which ? { which } : {}) }
}

const BEGAN =
  /^(?:what|how|where|with what)(?: did| have|'d)? (?:we|i|it|this|that|the \p{L}+|all)(?: \p{L}+)? (?:start|begin|began|begun|started)(?!\p{L})|(?<!\p{L})с чего (?:\p{L}+ ){0,3}(?:нач[аи]\p{L}+)/u

const FIRST =
  /(?<!\p{L})(?:first|original(?:ly)?|initial(?:ly)?|begin(?:ning)?|began|begun|start(?:ed)?|перв\p{L}+|сначала|вначале|изначальн\p{L}+|начал\p{L}*)(?!\p{L})/u
const LAST =
  /(?<!\p{L})(?:(?:last|latest|previous|most recent) (?:thing|request|prompt|question|instruction|ask|message)|(?:ask|asked|request|requested|say|said)(?: \p{L}+){0,3} last|последн(?:ий|яя|ее|юю|им|ей|его)|только что|напоследок|в последний раз)(?!\p{L})/u

const FATE_OF =
  /(?<!\p{L})(?:есть (?:ли )?(?:новости|прогресс|подвижки)|какие новости|что нового|что слышно|what(?:'s| has|s)? (?:happened|come|became|become|came)|whatever (?:happened|came)|what(?:'s| is)? (?:the )?(?:status|state|outcome|result)|status|how far|any (?:news|progress|update)|(?:state|progress|outcome|fate) of|how(?:'s| is| are|s| did| does) .* (?:going|coming|go|come|turn out|stand|doing)|where (?:do|does|did|are|is) .* stand|(?:get|got|gets) (?:done|fixed|finished|merged|committed|implemented|shipped|built|added)|been (?:done|fixed|finished|merged|committed|implemented|shipped|built|added|tested)|was .* (?:ever )?(?:fixed|merged|committed|implemented|shipped|built|added|tested)|что (?:\S+ ){0,4}(?:стало|случилось|произошло|вышло|получилось|слышно)|что (?:там )?с(?:о)? (?!эт)|чем (?:вс[её] )?(?:кончил|закончил)\p{L}*|как (?:там |идут |обстоят )?(?:дела|успехи|продвига\p{L}+|обстоят)|судьб\p{L}*|в каком (?:они |он |оно |она )?(?:состоянии|статусе)|состояни\p{L}*|статус\p{L}*|(?:в итоге|уже|всё-таки|вообще|хоть) (?:сделали|починили|реализовали|внедрили|закоммитили|доделали|исправили|добавили)|(?:сделали|починили|реализовали|внедрили|закоммитили|доделали|исправили|добавили)(?: ли| в итоге| уже)|был[аио]? ли)(?!\p{L})/u

function fateIn(lower: string): Question | undefined {
  return FATE_OF.test(lower) && FATE_BEGINS.test(lower)
    ? { kind: 'fate', words: topicOf(lower) }
    : undefined
}

const FATE_BEGINS =
  /^(?:whats?|whatever|hows?|status|state|progress|did|was|were|has|have|had|is|are|any|where|tell|show|give|outcome|что|как|чем|в каком|какой|каков|какова|статус|состояние|судьба|есть|какие|скажи|покажи|(?:\S+ ){0,6}(?:сделали|починили|реализовали|внедрили|закоммитили|доделали|исправили|добавили))(?!\p{L})/u

const SEEK =
  /^(?:(?:tell me|do you know|any idea|remind me|глянь|посмотри|подскажи|скажи|не знаешь|покажи),? (?:where|в каком файле|где)|find|search|look(?: up|ing)?|grep|locate|show me where|where(?:'s|s| is| are| do| does| did| in)?|which file|what file|in (?:which|what) file|найди(?:те)?|найти|поищи(?:те)?|ищи|отыщи|разыщи|искать|поиск|покажи,? где|в каком (?:файле|месте)|где)(?!\p{L})/u

function findIn(said: string, lower: string): Question | undefined {
  const match = SEEK.exec(lower)
  if (!match) return undefined
  const words = said
    .slice(match[0].length)
    .replace(
      /^[\s:]*(?:(?:for|up|where|everything|all|anything|about|on|me|we|do|does|the|in the code|is|are|у нас|нам|мне|вс[её]|про|о|об|где|код(?=,? где)|в коде|это|лежит|находится|живёт|есть)(?=[\s:]|$)[\s:,]*)*/iu,
      '',
    )
    .replace(/^(?:code|кода?|место|the code)(?:,? (?:that|which|где|который|for|для))? /iu, '')
    .trim()
  return words.length < 2 ? undefined : { kind: 'find', words }
}

/** The question's own words, which say nothing of what it is about. */
const SCAFFOLDING = new Set(
  `a about again all already an and any anything are ask asked asking at been before being brought bring by came can come committed could did do does doing done
  earlier ever every far few finally first fixed for from get getting give go going got had happened happen has have hear how how's hows i i'd i've if implemented in initially is it
  it's its just know last latest let like list look me mention mentioned merged more most my news now of ok on once order ordered original originally our please pls progress prompt prompts question questions
  recall recent recently regarding remember remind request requested requests result outcome said say search see shipped should show since so stand started start state status still tell than thank that
  that's thats the them then there these they thing things think this those times to told turn typed update us very was we went were what what's whats when where which who with word words you your
  previous begin beginning began here one tested instruct instructed instruction instructions concerning made make around over related stuff work finished built added add message messages became become whatever
  а без был была было были бы в вам вас вообще вот все всё вы где говорил говорила да для до должен его ее её если есть еще ещё же за запрос запроса запросе запросов запросы запросом запросу запросах и из или итоге их к как
  какая каков какова какие каким какое какой каком какую когда кого кому конце которые которую ли меня мне мной мои моих мой моего моей моему моём мою моя моим можешь мы на над насчет насчёт нам нас начинали начали начал начала наш не недавно недавние никогда них ну
  о об они она он оно от ничего первой первая первого первое первую первый первым первые перед по под пожалуйста покажи попросил попросила последнее последней последний последние последних последняя последнего после потом поручил поручал
  почему при про просил просила просили просьба просьбе просьбой просьбу просьбы просьбам прошлый раз разве с сам сейчас сделали сделано сказал сказала сколько слышно случилось со спрашивал спрашивала спросил спросила стало стала статус статусе судьба состояние состоянии
  так там твой тебе тебя тем теперь то тобой того тоже только ты у уже упоминал хотел чего чем чём через что чтобы это этим этой этого этому этот эту я вышло дела делами идут найди напомни поищи получилось обстоят список выведи дай починили реализовали доделали исправили добавили внедрили кончилось закончилось произошло слышал новости писал работа задаче насчёт вопрос вопросы вопросов`.split(
    /\s+/,
  ),
)

/** What is left is what the question is about. */
export function topicOf(text: string): string {
  return wordsOf(text)
    .filter((word) => !SCAFFOLDING.has(word) && !/^\d$/.test(word))
    .join(' ')
}
