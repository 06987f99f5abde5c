/** The languages that questions and notes are understood in, beside English. */
export const LANGUAGES = ['ru', 'uk', 'de', 'fr', 'es', 'pt', 'it', 'pl', 'zh', 'ja', 'ko'] as const
export type Language = (typeof LANGUAGES)[number]

/**
 * Takes off what inflection adds: the longest ending of the language's list that leaves a stem. Lighter than a full
 * stemmer and the same for every language; a stem only has to be the same on both sides, not to be a word.
 */
export function lightStem(word: string, language: Language): string {
  const plain = folded(word.toLowerCase(), language)
  const { endings, shortest } = RULES[language]
  let stem = plain
  for (const step of endings) stem = withoutEnding(stem, step, shortest)
  return stem
}

function withoutEnding(word: string, endings: readonly string[], shortest: number): string {
  const ending = endings.find((one) => word.endsWith(one) && word.length - one.length >= shortest)
  return ending ? word.slice(0, -ending.length) : word
}

/** Marks over Latin letters are left out as often as not; those of й and が are letters of their own. */
function folded(word: string, language: Language): string {
  if (language === 'ru') return word.replaceAll('ё', 'е')
  if (language === 'uk') return word.replace(/['’ʼ]/g, '').replaceAll('ґ', 'г')
  if (language === 'zh' || language === 'ja' || language === 'ko') return word
  return word
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .replaceAll('œ', 'oe')
}

interface Rules {
  /** Steps, one after the other; of each at most one ending goes. */
  readonly endings: readonly (readonly string[])[]
  readonly shortest: number
}

const RULES: Readonly<Record<Language, Rules>> = {
  ru: rules(3, [
    'ся сь',
    'ый ий ой ая яя ое ее ые ие ого его ому ему ым им ом ем ую юю ою ею ых их ыми ими а я о е ы и у ю ь й ов ев ей ам ям ами ями ах ях ием ии ию ия ией иям иями иях ешь ишь ет ют ит ят ут ат ете ите йте ает яет ают яют ует уют уется ал ала ало али ял яла яли ил ила ило или ел ела ели ть ти ать ить еть ять овать нный нная нное нные нного нной нную нных нным ными ном нном ан ано ана аны ен ено ена ены ание ания анию анием аний аниях аниями ение ения ению ением ений ениях ениями ость ости остью ящий ящая ящее ящие ющий ющая ющее ющие ющего ющей ющих вший вшая вшее вшие емый емая емое емые',
    'н',
  ]),
  uk: rules(3, [
    'ся сь',
    'ий ій а я о е є и і ї у ю ь й ого ього ому ьому им ім их іх ої ею єю ою ів їв ам ям ами ями ах ях ові еві ти в ла ло ли ає яє ують ють уть ать ять ить ати яти ити увати ував ала ало али ив ила ило или ний на не ні ного ної ному ною них ним ними ння нням нні ання анням анні ення енням енні ано яно ено ість ості істю ючий юча юче ючі',
    'н',
  ]),
  de: rules(4, [
    'ungen ung lichen liche licher liches lich keiten keit heiten heit ierten ierte iert ieren ierung ierungen',
    'erns ern ers em en er es e n s t te ten ter tes tem et ete eten st',
  ]),
  fr: rules(3, [
    's x',
    'ements ement ments ment ations ation ateurs ateur tions issez',
    'ees ee es e s er ez ent ons ait aient ant ants ante antes ir is it i aux al ale ales eur eurs euse x',
  ]),
  es: rules(3, [
    'aciones acion amientos amiento imientos imiento adores ador mente ciones cion',
    'ado ada ados adas ido ida idos idas ando iendo ar er ir aron ieron aban aba ara ares an en a o e as os es s',
  ]),
  pt: rules(3, [
    'acoes acao amentos amento imentos imento adores ador mente coes cao',
    'ado ada ados adas ido ida idos idas ando endo indo ar er ir aram eram ou am em a o e as os es s is ais oes ao aes',
  ]),
  it: rules(3, [
    'azioni azione amenti amento imenti imento atori atore mente zioni zione',
    'ato ata ati ate uto uta uti ute ito ita iti ite ando endo are ere ire ano ono a o e i ia ie io ii he hi',
  ]),
  pl: rules(3, [
    'owania owanie owaniu owaniem owan owany owana owane owac uje uja ania anie aniu aniem enia enie eniu eniem osci osc',
    'ego emu ymi imi ych ich ym im ej a e i o u y ie iu iem em ow ami ach om ony ona one any ana ane ono ano ac ec ic yc al ala alo ali il ila ili',
  ]),
  zh: rules(1, []),
  ja: rules(2, ['する した して され された されて できません ません ました ます です']),
  ko: rules(1, [
    '합니다 했습니다 하십시오 하세요 하지 하는 하여 하고 하면 해야 하려면 할 한 함 됩니다 되었습니다 되지 되는 되어 된 될 됨 입니다 습니다 없습니다 있습니다 않습니다 않은 이어야 여야 으로 에서 에게 까지 부터 이나 이거나 거나 라는 을 를 이 가 은 는 의 에 로 와 과 도 만 인',
  ]),
}

function rules(shortest: number, steps: readonly string[]): Rules {
  const longestFirst = (step: string) => step.split(' ').sort((a, b) => b.length - a.length)
  return { shortest, endings: steps.map(longestFirst) }
}
