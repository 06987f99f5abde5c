import { typedText } from '@secretary-mcp/transcripts/authorship.ts'
import { cutText } from '@secretary-mcp/transcripts/preview.ts'

/**
 * Standing instructions: typed sentences that are addressed to the agent and meant to hold beyond the task at hand. They are rare, about one
 * message in seventy, and sentences that look like them are common ("never fires", "must always be shown"). So only wordings that say
 * "from now on" in so many words count; everything else can be pinned by the person.
 */

const MAX_SENTENCE = 300
const MIN_SENTENCE = 12
const SENTENCE_END = /[.!?。！？](?=\s|$)|[。！？\n]/

/** Wordings that put off a single task into a rule. */
const LASTING: readonly RegExp[] = [
  /\b(?:from (?:now|here|this point) on(?:wards?)?|going forward|for the rest of (?:this|the) (?:session|conversation|chat|dialog|day)|until i (?:say|tell you) otherwise)\b/i,
  /\b(?:don['’]?t|do not|never) (?:you )?ever\b|\bever again\b|\bnever (?:repeats?|happens?) again\b|\bshould(?:n['’]t| not| never) be \w+ ever\b/i,
  /\bmemori[sz]e (?:this|that|the)\b|\b(?:remember|keep in mind|make a (?:mental )?note) (?:this|that(?! the)|for next time|for (?:the )?future|to\b.{0,200}\b(?:always|never|each|every|whenever))\b|(?:^|[,;]\s*)remember that\b|\bremember (?:it|that|this)\s*$|^remember: |\b(?:for|in) (?:all|any|every) future\b/i,
  /\b(?:in|for|on) (?:this|our|the) (?:repo(?:sitory)?|project|code ?base|team),? (?:we|you) (?:always|never|(?:don['’]?t|do not)(?! (?:have|need|see|know))|only(?! have)|must|use [\w -]{2,30}, (?:never|not))\b/i,
  /\bwe (?:always|never) \w+(?: \w+){1,12} (?:in|on) (?:this|our) (?:repo(?:sitory)?|project|code ?base|team)\b/i,
  /\b(?:every|each) time you\b|\bwhenever you\b|\bevery time (?:before|after) you\b/i,
  /\bas a (?:general )?rule\b|\bhouse rule\b|\bmy (?:general )?(?:rule|preference) is\b|\bi(?:['’]d| would)? (?:generally|always|usually|strongly) (?:prefer|want|like)\b/i,
  /\byou (?:must|should|have to|need to) (?:always|never)\b|^by default,? (?:\w+ ){1,12}in (?:this|our) (?:repo(?:sitory)?|project|code ?base)\b/i,
  /^(?:please |and |also |so |ok,? )*(?:always|never) (?:run(?! into)|commit|push|force-push|amend|squash|rebase|ask|answer|reply|respond|explain|stage|touch|lint|format|write tests|add tests|add comments|create (?:a )?(?:new )?branch|work on main|use emojis?|mention|sign)\b/i,
  /^(?:please )?(?:stop|quit) (?:adding|writing|using|making|committing|pushing|asking|creating|saying)\b.*\b(?:every|all the|each|so many|always|everywhere|unless|without)\b/i,
  /(?:^|[^\p{L}])(?:отныне|впредь|с этого момента|с сегодняшнего дня|запомни|запомните|каждый раз,? когда ты|больше никогда не|никогда больше не)(?:[^\p{L}]|$)/iu,
  /(?:^|[^\p{L}])(?:ab jetzt|ab sofort|von nun an|künftig|in zukunft|merk dir|merke dir|jedes mal,? wenn du|nie wieder)(?:[^\p{L}]|$)/iu,
  /(?:^|[^\p{L}])(?:désormais|dorénavant|à partir de maintenant|à l['’]avenir|souviens-toi|retiens que|chaque fois que tu|plus jamais)(?:[^\p{L}]|$)/iu,
  /(?:^|[^\p{L}])(?:de ahora en adelante|a partir de ahora|en adelante|en el futuro,|recuerda que|cada vez que|nunca más)(?:[^\p{L}]|$)/iu,
  /(?:^|[^\p{L}])(?:d['’]ora in poi|d['’]ora in avanti|a partir de agora|daqui em diante|de agora em diante|ricorda che|lembre-se de|ogni volta che|nunca mais|mai più)(?:[^\p{L}]|$)/iu,
  /^(?:пожалуйста,? )?(?:всегда|никогда не) (?:запуска|коммит|пуш|отвеча|пиши|спрашива|использ|добавля|проверя|трога|удаля|меня|редактир)/iu,
  /^(?:bitte )?(?:immer|nie|niemals) .{0,200}(?:committe|pushe|antworte|laufen lassen|ausführen|fragen|schreib|ändern|anfassen)|^(?:committe|pushe|antworte|schreib|frag|teste|ändere)\p{L}* (?:\p{L}+ ){0,3}(?:immer|nie|niemals)(?!\p{L})/iu,
  /^(?:ne |n['’])?(?:commit|push|modifi|répond|écri|demand|touch|lanc|utilis)\p{L}* (?:\p{L}+ )?(?:toujours|jamais)(?!\p{L})/iu,
  /^(?:por favor,? )?(?:siempre|sempre|nunca) (?:hag|faç|respond|escrib|escrev|ejecut|execut|pregunt|pergunt|modifi|commit|toqu|us)/iu,
  /^(?:non \p{L}+ mai|(?:rispondi|scrivi|usa|chiedi|esegui) sempre)(?!\p{L})/iu,
  /从现在(?:起|开始)|今后(?!的)|以后(?:都|请|不要|别)|记住(?=[，,：: ]|要|我们|不要|以后)/,
  /今後(?:は|、)|これから(?:は(?!じ)|も)|覚えておいて|二度と/,
  /앞으로(?! ?가기)|이제부터|지금부터|기억해|다시는/,
]

/**
 * What an agent's work is made of. The same wordings tell of the product ("every time you click", "in future users can export"), so an
 * instruction also has to name something that the agent itself does or writes.
 */
const WORK: readonly RegExp[] = [
  /\b(?:from (?:now|here|this point) on(?:wards?)?|going forward),? (?:please|always|never|only|do not|don['’]t)\b/i,
  /\b(?:commit|push|branch|pull request|pr|merge|rebase|squash|amend|stage|stash|worktree|test|lint|format|type ?check|build|ci|comment|code|function|variable|constant|type|class|import|tab|space|indent|semicolon|quote|style|convention|changelog|doc|documentation|readme|dependenc|package|librar|migration|schema|refactor|memori[sz]e|lock ?file|generated|secret|emoji|todo|plan|summar|answer|repl(?:y|ies)|respond|response|explain|explanation|ask|sub-?agent|deploy|release|file|folder|script|command|make (?:check|test|lint|build|fmt|ci)|npm|pnpm|yarn|bun|pip|uv|cargo|docker|git|concise|brief|short|verbose|english|german|french|spanish|russian|italian|portuguese|chinese|japanese|korean)(?:e?s|ed|ing|ting|y|ies|ted|er)?\b/i,
  /antwort|schreib|frag|deutsch|englisch|kommentar|datei|abhängigkeit|funktion|\btests?\b|committe|pushe/i,
  /отвеча|пиши|пишем|коммит|тест|спра?шива|спрос|русск|английск|комментар|пуш|код|файл|ветк|функци|использу/i,
  /écri|répon|demand|français|anglais|commentaire|fichier|fonction|branche/i,
  /respond|escrib|escrev|prueba|teste|pregunt|pergunt|español|inglés|portugu|inglês|comentario|código|función|rama/i,
  /rispond|scriv|chied|italiano|inglese|commento|codice|funzion/i,
  /回答|回复|中文|英文|英语|提交|测试|注释|代码|文件|分支|先问|推送/,
  /コミット|テスト|答え|回答|日本語|英語|コメント|コード|ファイル|ブランチ|聞いて|プッシュ/,
  /커밋|테스트|대답|답변|한국어|영어|주석|코드|파일|브랜치|물어|푸시/,
]

/** What sounds like one and tells, asks or wonders instead. */
const NOT_ADDRESSED: readonly RegExp[] = [
  /[?？]\s*$/,
  /\b(?:i|we|they|it|he|she|users?|people|which|who) (?:can['’]?t |can |do not |don['’]?t |will |just |still )?remember\b/i,
  /\b(?:do|did|can|could|would|should|does) (?:you|we|i|it) (?:\w+ )?remember\b/i,
  /\b(?:i|it|we|they)(?:['’]ll| will| would| may| might)? (?:\w+ )?(?:never|always|no longer) (?:works?|worked|happens?|happened|fires?|shows?|sees?|saw|gets?|got|had|have|has|was|were|is|been)\b/i,
  /\b(?:maybe|perhaps|might|wondering|not sure|it would be|would have been)\b/i,
  // Something happens by itself: nobody is told to do it.
  /\b(?:from (?:now|here|this point) on(?:wards?)?|going forward),? (?:the|this|that|it|they|users?|all|a|an|we['’]ll|we will|we can|i['’]ll|i will)\b(?!.{0,200}\b(?:must|should|please|you)\b)/i,
  /\b(?:every|each) time you\b[^,]{0,200},? (?:it|there|nothing|this|that|i|the [\w-]+ (?:is|are|was|[a-z]+s))(?=\W|$)|\bwhenever you\b[^,]{0,200},? (?:it|there|nothing|this|that|i|the [\w-]+ (?:is|are|was|[a-z]+s))(?=\W|$)/i,
  /\b(?:must|should) always be able\b|\bwhenever you(?:['’]re| are| can\b| want| like| have)/i,
  /(?:ab jetzt|ab sofort|von nun an|künftig|in zukunft) (?:funktionier|werden|wird|ist|sind|soll|wollen|wollten|kann|können|läuft|laufen|geht|gehen|hat|haben|schlägt|schlagen|gibt|steht|liegen)|jedes mal,? wenn du[^,]{0,200},? (?:wird|ist|sind|passiert|kommt|geht|öffnet|springt|stürzt|fehlt|schlägt)/iu,
  /(?:отныне|впредь|с этого момента|с сегодняшнего дня)(?![^.]*\p{L}(?:й|йте|и|ите|ь|ьте)(?!\p{L}))/iu,
  /(?:désormais|dorénavant|à partir de maintenant|à l['’]avenir|chaque fois que tu[^,]{0,200}),? (?:le|la|les|l['’]|il|elle|ça|cela|un|une) ?\p{L}/iu,
  /(?:de ahora en adelante|a partir de ahora|en adelante|cada vez que[^,]{0,200}|a partir de agora|daqui em diante|de agora em diante|d['’]ora in poi|ogni volta che[^,]{0,200}),? (?:el|la|los|las|lo|un|una|se|o|os|as|il|gli|i|le) \p{L}/iu,
  /(?:从现在(?:起|开始)|今后|以后).{0,200}(?:就一直|失败|报错|崩溃|不见)/,
  /(?:今後は|これから(?:は|も)).*(?<!(?:ください|[てで]|こと|ように?|[ろなえ]|お願いします)[。.!！]?)$/,
  /(?:앞으로|이제부터|지금부터).*(?<!(?:요|줘|라|자|것)[.!]?)$/,
  /\bi (?:always|usually|generally) (?:want|like|would like) to (?:see|get|have)\b/i,
  /\bremember (?:when|how|the (?:last|previous|old)|last time|if)\b/i,
  /\b(?:tracked|improve\w{0,200}|useful|needed|easier|better|maintain\w{0,200}) going forward\b.{0,200}\b(?:i think|we might)\b/i,
]

function isStanding(sentence: string): boolean {
  return (
    sentence.length >= (/[\u3040-\u9fff\uac00-\ud7af]/.test(sentence) ? 6 : MIN_SENTENCE) &&
    sentence.length <= MAX_SENTENCE &&
    LASTING.some((pattern) => pattern.test(sentence)) &&
    WORK.some((pattern) => pattern.test(sentence)) &&
    !NOT_ADDRESSED.some((pattern) => pattern.test(sentence))
  )
}

export function sentencesOf(text: string): string[] {
  const sentences: string[] = []
  let rest = cutText(text, 40_000)
  while (rest !== '') {
    const end = SENTENCE_END.exec(rest)
    const size = end ? end.index + end[0].length : rest.length
    sentences.push(rest.slice(0, size))
    rest = rest.slice(size)
  }
  return sentences
    .map((sentence) => sentence.trim().replace(/^(?:[-*•]|\d+[.)])\s+/, ''))
    .filter((sentence) => sentence !== '')
}

/** Choices of which one excludes the others. */
const ALTERNATIVES: readonly (readonly string[])[] = [
  ['tabs', 'spaces'],
  ['semicolons', 'semicolon'],
  ['single quotes', 'double quotes'],
  ['npm', 'pnpm', 'yarn', 'bun'],
  ['merge', 'rebase', 'squash'],
  ['jest', 'vitest', 'mocha'],
  [
    'english',
    'german',
    'french',
    'spanish',
    'russian',
    'italian',
    'portuguese',
    'chinese',
    'japanese',
    'korean',
    'deutsch',
  ],
  ['по-русски', 'по-английски'],
  ['camelcase', 'snake_case', 'kebab-case', 'snake case', 'camel case'],
  ['main', 'branch', 'feature branch'],
  ['small commits', 'one commit', 'single commit'],
]
const REVERSED =
  /\b(?:after all|instead|no longer|not any ?more|changed my mind|scratch that|forget (?:that|what i said|about)|ignore (?:that|what i said|my)|drop the rule|you (?:can|may) .{0,200} again|it['’]s (?:ok|fine) to .{0,200} (?:now|again))\b|(?:^|[^\p{L}])(?:всё-таки|всё же|передумал|больше не нужно|doch|stattdessen|finalement|al final)(?:[^\p{L}]|$)/iu
const EMPTY_WORDS = new Set(
  'the this that with from have will would should could please always never when then only also just into your ours from now going forward after remember every time'.split(
    ' ',
  ),
)

/** Whether a later sentence takes an earlier instruction back or replaces it. */
export function contradicts(later: string, earlier: string): boolean {
  const [after, before] = [later.toLowerCase(), earlier.toLowerCase()]
  const isOther = ALTERNATIVES.some((group) => {
    const [now, then] = [
      group.filter((one) => hasWord(after, one)),
      group.filter((one) => hasWord(before, one)),
    ]
    return now.length > 0 && then.length > 0 && !now.some((one) => then.includes(one))
  })
  if (isOther && (REVERSED.test(later) || isStanding(later) || /\balways\b|\bonly\b/i.test(later)))
    return true
  return REVERSED.test(later) && sharesWord(after, before)
}

/** The instructions that still hold, of messages in the order in which they were sent. */
export function standingNow(messages: readonly string[]): string[] {
  let held: string[] = []
  for (const message of messages) {
    const sentences = sentencesOf(typedText(message))
    for (const sentence of sentences) {
      const before = held.length
      held = held.filter((one) => one !== sentence && !contradicts(sentence, one))
      if (isStanding(sentence) || (held.length < before && sentence.length <= MAX_SENTENCE))
        held.push(sentence)
    }
  }
  return held
}

function hasWord(text: string, word: string): boolean {
  const at = text.indexOf(word)
  if (at === -1) return false
  const isLetter = (sign: string | undefined) => sign !== undefined && /[\p{L}\p{N}_]/u.test(sign)
  return !isLetter(text[at - 1]) && !isLetter(text[at + word.length])
}

function sharesWord(one: string, other: string): boolean {
  const words = (text: string) =>
    (text.match(/[\p{L}\p{N}_-]{4,}/gu) ?? []).filter((word) => !EMPTY_WORDS.has(word))
  const known = new Set(words(other))
  return words(one).some((word) => known.has(word))
}
