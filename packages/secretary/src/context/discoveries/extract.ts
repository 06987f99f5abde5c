import { moduleOf } from '@secretary-mcp/search/ranking/file-role.ts'
import type { DiscoveryType } from './discovery.ts'
import { saidOf } from './likeness.ts'

/** What is done to code and never by a product to its users: "must never show" is a requirement, "must never edit" a rule. */
const WORK =
  'use|write|add|call|commit|import|put|keep|edit|touch|run|push|merge|change|modify|delete|mock|skip|log|store|create|ask|check|test|format|name|throw|catch|hard-?code|bypass|disable|answer|reply|include|prefix|deploy|rebase|squash|amend|install|bump|generate|review|document'
const WORKED =
  'used|written|added|called|committed|imported|edited|touched|run|pushed|merged|changed|modified|updated|deleted|mocked|skipped|logged|stored|deployed|rebased|squashed|hard-?coded|bypassed|disabled'

const MIN_LENGTH = 8
const MAX_LENGTH = 300
/** People do not always begin with a capital letter; scripts without spaces have none. */
const SENTENCE_END =
  /(?<=[.!?])(?<!\b(?:e\.g|i\.e|etc|vs|z\.B|т\.е|т\.д)\.)\s+(?=\S)|(?<=[。！？])/u

export interface Extracted {
  readonly type: DiscoveryType
  readonly content: string
  readonly confidence: number
  readonly module?: string
  /** Paths named in the words around. */
  readonly paths: readonly string[]
  /** Which of the texts says it, from 0. */
  readonly index: number
}

/** What counts most comes first; a sentence is one statement, of the first type that fits. */
const ORDER: readonly DiscoveryType[] = ['issue', 'decision', 'rule', 'pattern']
/** Somebody who writes a label in front of a sentence means it. */
const LABEL_CONFIDENCE = 0.9
const SENTENCE_CONFIDENCE = 0.7
/** Fewer say too little to stand alone. Scripts without spaces are counted by signs. */
const MIN_WORDS = 4
const MIN_SIGNS = 8
const SIGNS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu
/** Addresses, arrows, check marks, markup and prompts are of something copied. */
const COPIED = /https?:\/\/|[→⇒✓✗❯⏺│]|^\s*[{}<>$#|]|=>|[;{]\s*$|:\s*$/
const PATH =
  /(?<![\w/.@-])(?:\.\/)?[\w@.-]+(?:\/[\w@.-]+)+\.[a-z]{1,5}\b|(?<![\w-])[\w-]+\.(?:tsx?|jsx?|mjs|py|go|rs|java|rb|php|cs|cpp|hpp|c|h)\b/gi
const NAMED_MODULE =
  /\b(?:in|of|for|to) (?:the |our )?[`'"]?([\w-]{2,40})[`'"]? (?:module|service|package|component|layer|folder|crate)\b|\b([\w-]{2,40}) (?:module|package|crate)\b/i
/** A long run of letters and digits mixed is more likely a key than a word. */
const LIKE_A_SECRET =
  /(?<![\w+/-])(?=[\w+/-]*\d)(?=[\w+/-]*[a-z])[\w+/-]{28,}\b|\b(?:sk|ghp|gho|xox[bp])[-_][\w-]{10,}|-----BEGIN|password\s*[:=]/i

const MAX_PER_DIALOG = 10

/**
 * What a person stated in a dialog: sentences that say a decision, a rule, a pattern or an issue and mean the same without the ones
 * around them. The most important kinds first, repetitions once. In doubt nothing is drawn.
 */
export function extractDiscoveries(typed: readonly string[]): Extracted[] {
  const found = typed.flatMap((text, index) =>
    sentencesOf(text).flatMap(({ text: sentence, around }) => read(sentence, around, index)),
  )
  found.sort((a, b) => ORDER.indexOf(a.type) - ORDER.indexOf(b.type) || b.confidence - a.confidence)
  const kept = new Map<string, Extracted>()
  for (const candidate of found) {
    if (kept.size >= MAX_PER_DIALOG) break
    const said = saidOf(candidate.content)
    if (!kept.has(said)) kept.set(said, candidate)
  }
  return [...kept.values()]
}

function read(sentence: string, around: string, index: number): Extracted[] {
  if (LIKE_A_SECRET.test(sentence) || COPIED.test(sentence)) return []
  const stated = statedIn(sentence)
  if (!stated) return []
  const paths = pathsIn(sentence).length > 0 ? pathsIn(sentence) : pathsIn(around)
  const module = moduleNear(sentence) ?? moduleNear(around)
  return [{ ...stated, content: sentence, paths, index, ...(module ? { module } : {}) }]
}

function statedIn(sentence: string): Pick<Extracted, 'type' | 'confidence'> | undefined {
  for (const language of STATEMENTS)
    for (const type of ORDER) {
      const label = language.labels[type].exec(sentence)
      if (label) {
        const isWhole = isLongEnough(label[1] ?? '') && standsAlone(label[1] ?? '', language)
        return isWhole ? { type, confidence: LABEL_CONFIDENCE } : undefined
      }
      if (!language.says[type]?.some((pattern) => pattern.test(sentence))) continue
      const isWhole = isLongEnough(sentence) && standsAlone(sentence, language)
      return isWhole ? { type, confidence: SENTENCE_CONFIDENCE } : undefined
    }
  return undefined
}

function isLongEnough(text: string, factor = 1): boolean {
  const signs = text.match(SIGNS)?.length ?? 0
  const words = text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0
  return signs >= MIN_SIGNS * factor || words >= MIN_WORDS * factor
}

function standsAlone(text: string, { leans, passing, points }: Statements): boolean {
  // In a long sentence the last word usually points to an earlier one of the same.
  return !leans.test(text) && !passing.test(text) && (isLongEnough(text, 2) || !points.test(text))
}

export function pathsIn(text: string): string[] {
  return [...new Set((text.match(PATH) ?? []).map((path) => path.replace(/^\.\//, '')))]
}

/** From a module named in so many words, or from the path nearest to the match. */
export function moduleNear(text: string): string | undefined {
  const [, named, bare] = NAMED_MODULE.exec(text) ?? []
  const name = named ?? bare
  if (name && !/^(?:the|this|that|our|a|an|each|every|new|same|other|whole)$/i.test(name))
    return name.toLowerCase()
  const path = pathsIn(text).find((candidate) => candidate.includes('/'))
  return path ? moduleOf(path) : undefined
}

interface Sentence {
  readonly text: string
  /** The sentences on either side, within the same text. */
  readonly around: string
}

/** Prose only: code blocks, quoted output, tables and questions hold no decisions. */
export function sentencesOf(text: string): Sentence[] {
  const prose = text
    .split('```')
    .filter((_, place) => place % 2 === 0)
    .join('\n')
    .replace(
      /^[ \t]*(?:>|\||\d{1,9}[ \t]{0,20}\||at[ \t]{1,20}\S{1,300}[ \t]{0,5}\(|[+-]{3}\s|@@).*$/gm,
      '',
    )
  const all = prose
    .split(/\n+/)
    .flatMap((line) => line.replace(/^\s*(?:[-*+•]|\d+[.)])\s+|^#+\s+/, '').split(SENTENCE_END))
    .map((sentence) =>
      sentence
        .replace(/\s+/g, ' ')
        .replace(/\*\*|__/g, '')
        .trim(),
    )
    .filter(Boolean)
  return all
    .map((sentence, place) => ({
      text: sentence,
      around: [all[place - 1], sentence, all[place + 1]].filter(Boolean).join(' '),
    }))
    .filter(
      ({ text: sentence }) =>
        sentence.length >= MIN_LENGTH && sentence.length <= MAX_LENGTH && !/[?？]$/.test(sentence),
    )
}

/** How people state something in one language, and how a sentence gives away that it means nothing without the ones around it. */
interface Statements {
  /** `Decision: …`, written as a label in front. */
  readonly labels: Readonly<Record<DiscoveryType, RegExp>>
  /** Words that make a sentence such a statement. */
  readonly says: Readonly<Partial<Record<DiscoveryType, readonly RegExp[]>>>
  /** A first word that points to another sentence, asks, or gives a condition or an opinion. */
  readonly leans: RegExp
  /** It holds for the moment or for the task at hand only, or is not certain. */
  readonly passing: RegExp
  /** A last word that points to another sentence: "never do this". */
  readonly points: RegExp
}

const label = (words: string) => new RegExp(`^(?:${words})\\s*[:：]\\s*(\\S.*)$`, 'iu')

const within = (words: string) =>
  new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words})(?![\\p{L}\\p{N}_])`, 'iu')

const first = (words: string) => new RegExp(`^(?:${words})(?![\\p{L}\\p{N}_])`, 'iu')

const last = (words: string) =>
  new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words})[^\\p{L}\\p{N}]*$`, 'iu')

const anywhere = (words: string) => new RegExp(words, 'u')

/**
 * In English and in every language that the search understands. Each pattern is narrow on purpose: a suggestion that a
 * person has to dismiss costs more than one that was never made.
 */
const STATEMENTS: readonly Statements[] = [
  {
    labels: {
      issue: label('(?:known )?(?:bug|issue|problem)|root cause'),
      decision: label('decision|decided'),
      rule: label('(?:house |project )?rule|constraint'),
      pattern: label('convention|pattern|note to self'),
    },
    says: {
      issue: [within('(?:the )?(?:root )?cause (?:of|for) .{5,120} (?:is|was)')],
      decision: [
        within("(?:we|i|the team)(?:['’]ve| have)? decided (?:to|on|against|that|not to)"),
        within(
          "we(?:['’]ve| have)? (?:chose|chosen|went with|gone with|switched (?:from|to)|picked|settled on|agreed (?:to|on|that))",
        ),
      ],
      rule: [
        first(`(?:please,? |also,? )?(?:always|never) (?:${WORK})`),
        within(`we (?:always|never) (?:${WORK})`),
        within('from now on'),
        first('going forward'),
        within(
          "in (?:this|our) (?:repo|repository|project|codebase|code base)\\b.*(?<!\\p{L})(?:always|never|must|mustn['’]t|don['’]t|do not|only|no)",
        ),
        within(
          `(?:must|should|may|can) (?:never|always) (?:(?:${WORK})|be (?:${WORKED}))|(?:must|should) not be (?:${WORKED}) (?:ever|by hand|manually|directly)`,
        ),
      ],
      pattern: [
        within('we (?:always |only )?use .{2,80}? (?:for|to|in|as|instead of|rather than)'),
        within('our convention (?:is|for)'),
      ],
    },
    leans: first(
      "this|that|it|its|it['’]s|these|those|they|he|she|there|then|so|but|and|or|because|since|which|same|both|ok|okay|yes|no(?=[,.!])|yeah|sure|great|thanks|can|could|would|will|should|shall|do|does|did|is|are|was|were|have|has|had|why|what|when|where|who|how|if|unless|whether|let me|let['’]s|i think|i guess|i feel|maybe|perhaps|for (?:this|that)",
    ),
    passing: within(
      'for now|for the moment|at the moment|right now|yet|today|this time|temporarily|in this (?:pr|branch|commit|session|task|step|phase|plan|file)|until|maybe|perhaps|probably|might|i think|i guess|not sure|(?:if|when|whether|should|could|can|did|had|have) (?:we|i|you)|as (?:above|mentioned|discussed|i said)|the (?:above|following|latter|former)|below|keep going',
    ),
    points: last('it|this|that|them|these|those|so|too|there|here|again|anymore'),
  },
  {
    labels: {
      issue: label('(?:известная )?(?:ошибка|проблема)|баг|причина'),
      decision: label('решение|решили|решено'),
      rule: label('правило|ограничение'),
      pattern: label('соглашение|конвенция|паттерн'),
    },
    says: {
      issue: [within('причина .{5,120} (?:в том|была в)')],
      decision: [
        within(
          '(?:мы|я|команда) (?:решил[аи]?|выбрал[аи]?|договорились|перешли|остановились на|отказались от)',
        ),
        first('(?:решили|решено|договорились|выбрали|перешли на)'),
      ],
      rule: [
        first(
          '(?:пожалуйста,? )?(?:всегда|никогда не) (?:использу|пиш|добавля|вызыва|коммит|импортир|клад|держ|прав|трога|запуска|пуш|меня|удаля|созда|проверя|называ|отвеча|спрашива|логир|редактир)\\p{L}*',
        ),
        within('мы (?:всегда|никогда не) \\p{L}{4,}'),
        within('отныне|впредь|с этого момента|с этого дня'),
        within(
          'в (?:этом|нашем) (?:проекте|репозитории|репо)(?!\\p{L}).*(?<!\\p{L})(?:всегда|никогда|нельзя|только|не|обязательно)',
        ),
        within('нельзя (?:менять|править|трогать|коммитить|пушить|удалять|редактировать)'),
      ],
      pattern: [within('мы (?:всегда )?используем .{2,80}? (?:для|в|вместо|чтобы)')],
    },
    leans: first(
      'это|этот|эта|эти|этого|его|он|она|оно|они|там|тогда|потом|так|но|и|а|или|потому|да|нет|ок|ладно|хорошо|почему|зачем|как|что|когда|где|кто|какой|какая|можно|может|можешь|если|давай|давайте|думаю|кажется',
    ),
    passing: within(
      'пока|сейчас|сегодня|на этот раз|временно|в этом (?:пиаре|пр|коммите|файле)|в этой (?:ветке|задаче|сессии)|может быть|возможно|наверное|если (?:мы|я|ты)|выше|ниже|вышеуказанн\\p{L}+',
    ),
    points: last('это|этого|этим|его|её|их|так|тоже|здесь|там'),
  },
  {
    labels: {
      issue: label('(?:відома )?(?:помилка|проблема)|баг|причина'),
      decision: label('рішення|вирішили|вирішено'),
      rule: label('правило|обмеження'),
      pattern: label('домовленість|конвенція|патерн'),
    },
    says: {
      decision: [
        within('(?:ми|я|команда) (?:вирішил[аи]|обрал[аи]|домовилися|перейшли|відмовилися від)'),
        first('(?:вирішили|вирішено|домовилися|обрали|перейшли на)'),
      ],
      rule: [
        first(
          '(?:будь ласка,? )?(?:завжди|ніколи не) (?:використову|пиш|дода|виклика|коміт|імпорт|трима|прав|чіпа|запуска|пуш|міня|змінюй|видаля|створ|перевір|назива|відповіда|редагу)\\p{L}*',
        ),
        within('ми (?:завжди|ніколи не) \\p{L}{4,}'),
        within('відтепер|надалі'),
        within(
          '(?:у|в) (?:цьому|нашому) (?:проєкті|проекті|репозиторії)(?!\\p{L}).*(?<!\\p{L})(?:завжди|ніколи|не можна|тільки|лише|не)',
        ),
      ],
      pattern: [within('ми (?:завжди )?використовуємо .{2,80}? (?:для|в|у|замість|щоб)')],
    },
    leans: first(
      'це|цей|ця|ці|його|він|вона|воно|вони|там|тоді|потім|так|але|і|й|а|або|бо|ні|ок|добре|чому|навіщо|як|що|коли|де|хто|який|можна|може|якщо|давай|думаю|здається',
    ),
    passing: within(
      'поки|зараз|сьогодні|цього разу|тимчасово|у цій (?:гілці|задачі|сесії)|можливо|мабуть|якщо (?:ми|я|ти)|вище|нижче',
    ),
    points: last('це|цього|його|її|їх|так|теж|тут|там'),
  },
  {
    labels: {
      issue: label('(?:bekannter? )?(?:fehler|problem|bug)|ursache'),
      decision: label('entscheidung|beschluss'),
      rule: label('regel|einschränkung'),
      pattern: label('konvention|muster'),
    },
    says: {
      decision: [
        within(
          '(?:wir|ich|das team) (?:haben?|habe|hat) (?:uns|mich|sich)? ?(?:.{0,80} )?(?:entschieden|beschlossen|geeinigt)',
        ),
        within('wir sind (?:.{0,60} )?(?:umgestiegen|gewechselt)'),
      ],
      rule: [
        first(
          '(?:bitte )?(?:immer|nie|niemals) .{2,120}(?:en|ern)|(?:verwende|benutze|nutze|schreibe?|committe|ändere?|bearbeite|teste|prüfe?|füge?) .{0,60}(?:immer|nie|niemals|keine?n?)',
        ),
        within('wir \\p{L}{4,} (?:.{0,40} )?(?:immer|nie|niemals)'),
        within('ab jetzt|ab sofort|künftig|von nun an'),
        within(
          'in (?:diesem|unserem) (?:projekt|repo|repository)(?!\\p{L}).*(?<!\\p{L})(?:immer|nie|niemals|nur|nicht|keine?n?)',
        ),
      ],
      pattern: [
        within(
          'wir (?:verwenden|benutzen|nutzen) (?:immer )?.{2,80}? (?:für|zum|zur|als|in|statt|um)|für .{2,60} (?:verwenden|benutzen|nutzen) wir',
        ),
      ],
    },
    leans: first(
      'das|dies|diese[rsnm]?|es|er|sie|dann|so|aber|und|oder|weil|denn|ok|ja|nein|gut|kannst|könnte|können|soll|sollen|sollte|warum|was|wann|wo|wer|wie|wenn|falls|ob|vielleicht|ich glaube|ich denke',
    ),
    passing: within(
      'vorerst|erstmal|im moment|gerade|heute|diesmal|vorläufig|in diesem (?:pr|branch|commit|schritt)|vielleicht|wahrscheinlich|eventuell|wenn (?:wir|ich|du)|oben|unten|noch nicht',
    ),
    points: last('das|dies|es|sie|ihn|so|auch|hier|dort'),
  },
  {
    labels: {
      issue: label('(?:bug|problème|erreur)(?: connue?)?|cause'),
      decision: label('décision'),
      rule: label('règle|contrainte'),
      pattern: label('convention|motif'),
    },
    says: {
      decision: [
        within(
          "(?:nous avons|on a|j['’]ai|l['’]équipe a) (?:décidé (?:de|d['’]|que)|choisi|opté pour|convenu)",
        ),
        within('(?:nous sommes|on est) passés? (?:à|de)'),
      ],
      rule: [
        first(
          "(?:toujours|ne jamais|jamais) \\p{L}{3,}(?:er|ir|re)|(?:n['’]|ne )?(?:utilise[zr]?|écri[st]|écrivez|ajoute[zr]?|commit(?:e|ez|er)|modifie[zr]?|change[zr]?|touche[zr]?|supprime[zr]?|teste[zr]?|vérifie[zr]?) (?:toujours|jamais)",
        ),
        within("(?:on|nous) (?:n['’]|ne )?\\p{L}{3,} (?:toujours|jamais)"),
        within("désormais|dorénavant|à partir de maintenant|à l['’]avenir"),
        within(
          'dans (?:ce|notre) (?:projet|dépôt|repo)(?!\\p{L}).*(?<!\\p{L})(?:toujours|jamais|uniquement|pas|aucune?)',
        ),
      ],
      pattern: [
        within(
          '(?:on|nous) (?:utilise|utilisons) (?:toujours )?.{2,80}? (?:pour|dans|comme|au lieu de)',
        ),
      ],
    },
    leans: first(
      "ça|cela|ce|c['’]est|ces|il|elle|ils|elles|alors|donc|mais|et|ou|car|parce|ok|oui|non|bien|peux|peut|pourrais|pourquoi|que|quoi|quand|où|qui|comment|si|est-ce|peut-être|je pense|je crois",
    ),
    passing: within(
      "pour l['’]instant|pour le moment|aujourd['’]hui|cette fois|temporairement|dans (?:cette pr|cette branche|ce commit)|peut-être|probablement|si (?:on|nous|je|tu)|ci-dessus|ci-dessous|encore",
    ),
    points: last('ça|cela|le|la|les|aussi|ici|là'),
  },
  {
    labels: {
      issue: label('(?:error|problema|fallo|bug)(?: conocido)?|causa'),
      decision: label('decisión'),
      rule: label('regla|restricción'),
      pattern: label('convención|patrón'),
    },
    says: {
      decision: [
        within(
          '(?:(?:hemos|he|el equipo ha) (?:decidido|elegido|optado por|acordado)|decidimos|decidí|elegimos|acordamos|optamos por|nos pasamos a|cambiamos a)',
        ),
      ],
      rule: [
        first(
          '(?:por favor,? )?(?:siempre|nunca) (?:us|utili|escrib|añad|agreg|llam|commit|import|pon|manten|edit|toc|ejecut|cambi|modifi|borr|elimin|prueb|revis|respond|pregunt|cre)\\p{L}*',
        ),
        within('(?:siempre|nunca) \\p{L}{3,}(?:amos|emos|imos)'),
        within('de ahora en adelante|a partir de ahora|en adelante'),
        within(
          'en (?:este|nuestro) (?:proyecto|repositorio|repo)(?!\\p{L}).*(?<!\\p{L})(?:siempre|nunca|solo|sólo|no)',
        ),
      ],
      pattern: [
        within(
          '(?:usamos|utilizamos) (?:siempre )?.{2,80}? (?:para|en|como|en lugar de|en vez de)',
        ),
      ],
    },
    leans: first(
      'esto|eso|este|esta|ese|esa|estos|esas|ello|él|ella|ellos|entonces|así|pero|y|o|porque|ok|sí|no(?=[,.!])|bien|puedes|podemos|podría|por qué|qué|cuándo|dónde|quién|cómo|si|quizás?|tal vez|creo',
    ),
    passing: within(
      'por ahora|de momento|hoy|esta vez|temporalmente|en (?:este pr|esta rama|este commit)|quizás?|tal vez|probablemente|si (?:nosotros|yo|tú|usamos)|arriba|abajo|todavía',
    ),
    points: last('esto|eso|lo|la|los|las|también|aquí|ahí'),
  },
  {
    labels: {
      issue: label('(?:erro|problema|bug)(?: conhecido)?|causa'),
      decision: label('decisão'),
      rule: label('regra|restrição'),
      pattern: label('convenção|padrão'),
    },
    says: {
      decision: [
        within(
          '(?:decidimos|decidi|escolhemos|optamos por|combinamos|concordamos|mudamos para|a equipe decidiu)',
        ),
      ],
      rule: [
        first(
          '(?:por favor,? )?(?:sempre|nunca) (?:us|utili|escrev|adicion|cham|commit|import|coloq|manten|edit|toq|mex|execut|mud|alter|apag|remov|test|respond|pergunt|cri)\\p{L}*',
        ),
        within('(?:sempre|nunca) \\p{L}{3,}(?:amos|emos|imos)'),
        within('de agora em diante|a partir de agora|daqui em diante'),
        within(
          '(?:neste|nesse|no nosso) (?:projeto|repositório|repo)(?!\\p{L}).*(?<!\\p{L})(?:sempre|nunca|só|apenas|somente|não)',
        ),
      ],
      pattern: [
        within(
          '(?:nós )?(?:usamos|utilizamos) (?:sempre )?.{2,80}? (?:para|em|como|no lugar de|em vez de)',
        ),
      ],
    },
    leans: first(
      'isto|isso|este|esta|esse|essa|ele|ela|eles|então|assim|mas|e|ou|porque|ok|sim|não(?=[,.!])|bem|pode|podemos|poderia|por que|o que|quando|onde|quem|como|se|talvez|acho',
    ),
    passing: within(
      'por enquanto|no momento|hoje|desta vez|temporariamente|(?:neste pr|nesta branch|neste commit)|talvez|provavelmente|se (?:nós|eu|você|usamos)|acima|abaixo|ainda',
    ),
    points: last('isto|isso|ele|ela|também|aqui|lá'),
  },
  {
    labels: {
      issue: label('(?:errore|problema|bug)(?: noto)?|causa'),
      decision: label('decisione'),
      rule: label('regola|vincolo'),
      pattern: label('convenzione|schema'),
    },
    says: {
      decision: [
        within(
          '(?:(?:abbiamo|ho|il team ha) (?:deciso (?:di|che)|scelto|optato per|concordato)|siamo passati (?:a|da))',
        ),
      ],
      rule: [
        first(
          '(?:per favore,? )?(?:non \\p{L}{3,} mai|(?:usa|usare|scrivi|scrivere|aggiungi|committa|importa|tieni|modifica|tocca|esegui|cambia|cancella|testa|controlla|rispondi|chiedi) sempre|sempre \\p{L}{3,}(?:are|ere|ire)|mai \\p{L}{3,}(?:are|ere|ire))',
        ),
        within('(?:non )?\\p{L}{3,}(?:iamo) (?:sempre|mai)'),
        within("d['’]ora in poi|da ora in poi|d['’]ora in avanti"),
        within(
          'in (?:questo|nostro) (?:progetto|repository|repo)(?!\\p{L}).*(?<!\\p{L})(?:sempre|mai|solo|non)',
        ),
      ],
      pattern: [
        within('(?:usiamo|utilizziamo) (?:sempre )?.{2,80}? (?:per|in|come|al posto di|invece di)'),
      ],
    },
    leans: first(
      'questo|questa|quello|quella|questi|lui|lei|loro|allora|così|ma|e|o|perché|ok|sì|no(?=[,.!])|bene|puoi|possiamo|potresti|cosa|quando|dove|chi|come|se|forse|penso|credo',
    ),
    passing: within(
      'per ora|al momento|oggi|questa volta|temporaneamente|in (?:questa pr|questo branch|questo commit)|forse|probabilmente|se (?:noi|io|tu|usiamo)|sopra|sotto|ancora',
    ),
    points: last('questo|quello|lo|la|li|anche|qui|lì'),
  },
  {
    labels: {
      issue: label('(?:znany )?(?:błąd|problem|bug)|przyczyna'),
      decision: label('decyzja'),
      rule: label('zasada|reguła|ograniczenie'),
      pattern: label('konwencja|wzorzec'),
    },
    says: {
      decision: [
        within(
          '(?:zdecydowaliśmy|zdecydowałem|zdecydowałam|postanowiliśmy|wybraliśmy|ustaliliśmy|przeszliśmy na|przechodzimy na)',
        ),
      ],
      rule: [
        first(
          '(?:proszę,? )?(?:zawsze|nigdy nie) (?:używa|pisz|dodawa|wywołu|commit|import|trzyma|edytu|rusza|dotyka|uruchamia|zmienia|usuwa|sprawdza|odpowiada|pyta|twórz)\\p{L}*',
        ),
        within('(?:zawsze|nigdy nie) \\p{L}{3,}my'),
        within('od teraz|odtąd|na przyszłość'),
        within(
          'w (?:tym|naszym) (?:projekcie|repozytorium|repo)(?!\\p{L}).*(?<!\\p{L})(?:zawsze|nigdy|tylko|nie)',
        ),
      ],
      pattern: [within('używamy .{2,80}? (?:do|w|jako|zamiast)')],
    },
    leans: first(
      'to|ten|ta|te|tego|on|ona|oni|wtedy|potem|tak|ale|i|a|albo|bo|ok|nie(?=[,.!])|dobrze|czy|dlaczego|co|kiedy|gdzie|kto|jak|jeśli|może|myślę|chyba',
    ),
    passing: within(
      'na razie|teraz|dzisiaj|dziś|tym razem|tymczasowo|w tym (?:pr|branchu|commicie)|może|prawdopodobnie|jeśli|powyżej|poniżej|jeszcze',
    ),
    points: last('to|tego|go|ją|je|ich|tak|też|tutaj|tam'),
  },
  {
    labels: {
      issue: label('已知问题|问题|缺陷|根本原因|原因'),
      decision: label('决定|决策'),
      rule: label('规则|约束'),
      pattern: label('约定|惯例|模式'),
    },
    says: {
      decision: [
        anywhere('(?:我们|团队|我)(?:已经)?(?:决定|选择了|选定了?|商定|改用|换成了?)\\S{2,}'),
      ],
      rule: [
        anywhere('^(?:请)?(?:始终|总是|务必|永远不要|绝不要?|切勿|不要再)\\S{3,}'),
        anywhere('我们(?:从不|从来不|总是|始终|一律)\\S{2,}'),
        anywhere('从现在起|从今以后|今后'),
        anywhere(
          '(?:这个|本|我们的)(?:项目|仓库|代码库).*(?:必须|不要|不能|不得|只能|始终|禁止|从不)',
        ),
      ],
      pattern: [anywhere('我们(?:都|统一)?(?:使用|用).{1,40}(?:来|作为|做|进行|处理|代替|而不是)')],
    },
    leans: anywhere(
      '^(?:这样|那样|它|他|她|那|然后|所以|但是?|而且|或者|因为|好的?|是的?|不是|为什么|怎么|什么|何时|哪|谁|如果|能不能|能否|可以|是否|也许|我觉得|我想)',
    ),
    passing: anywhere(
      '暂时|目前|现在先|今天|这次|临时|也许|可能|大概|如果我们|上面|下面|以上|以下|还没',
    ),
    points: anywhere('(?:这个|那个|这样|那样|它|这里|那里)[。！!.]*$'),
  },
  {
    labels: {
      issue: label('既知の(?:問題|不具合)|不具合|バグ|問題|根本原因|原因'),
      decision: label('決定(?:事項)?'),
      rule: label('ルール|規則|制約'),
      pattern: label('規約|慣例|パターン'),
    },
    says: {
      decision: [
        anywhere(
          '(?:こと|に|で|を)(?:決めました|決めた|決定しました|決定した|採用しました|採用した|移行しました|移行した)',
        ),
      ],
      rule: [
        anywhere(
          '^(?:必ず|常に|絶対に|決して).{4,}(?:ください|すること|しない(?:で)?|使う|使わない|こと)',
        ),
        anywhere('今後は|これからは|今後、'),
        anywhere(
          '(?:この|本|私たちの)(?:プロジェクト|リポジトリ)では.*(?:必ず|常に|しない|禁止|のみ|しないで)',
        ),
        anywhere('は(?:手で|直接)(?:編集|変更)しない'),
      ],
      pattern: [
        anywhere(
          'には.{1,40}を(?:使って(?:います|いる)|使用して(?:います|いる)|使います|使用します)',
        ),
      ],
    },
    leans: anywhere(
      '^(?:これ|それ|あれ|この場合|その|そう|でも|しかし|そして|だから|また|はい|いいえ|なぜ|何|いつ|どこ|誰|どう|もし|たぶん|おそらく|と思)',
    ),
    passing: anywhere(
      'とりあえず|今のところ|今は|今日|今回|一時的|たぶん|おそらく|かもしれ|もし|上記|下記|以下|まだ',
    ),
    points: anywhere('(?:これ|それ|あれ|ここ|そこ)[。！!.]*$'),
  },
  {
    labels: {
      issue: label('(?:알려진 )?(?:문제|버그)|원인'),
      decision: label('결정(?: ?사항)?'),
      rule: label('규칙|제약'),
      pattern: label('관례|컨벤션|패턴'),
    },
    says: {
      decision: [
        anywhere(
          '기로 (?:결정)?(?:했다|했습니다|했어요|결정했다|결정했습니다)|(?:을|를) (?:선택했다|선택했습니다|채택했다|채택했습니다)',
        ),
      ],
      rule: [
        anywhere(
          '^(?:항상|절대로?|반드시) .{4,}(?:세요|하라|해라|마라|말 것|할 것|마세요|않는다|한다)',
        ),
        anywhere('앞으로는?|이제부터'),
        anywhere(
          '(?:이|우리) (?:프로젝트|저장소|리포)(?:에서)?는?.*(?:항상|절대|반드시|만 |하지 (?:않|마))',
        ),
        anywhere('우리는 (?:항상|절대) '),
      ],
      pattern: [
        anywhere('(?:에는?|위해|대신) .{1,40}(?:을|를) (?:사용한다|사용합니다|쓴다|씁니다)'),
      ],
    },
    leans: anywhere(
      '^(?:이것|그것|저것|이건|그건|그러면|그래서|하지만|그리고|또는|왜냐하면|네|아니|왜|무엇|언제|어디|누가|어떻게|만약|아마|내 생각)',
    ),
    passing: anywhere('일단|지금은|현재는|오늘|이번에|임시로|아마|만약|위의|아래의|아직'),
    points: anywhere('(?:이것|그것|이거|그거|여기|거기)[.!]*$'),
  },
]
