// How often a query about nothing in the project is answered with silence: over the shared corpora, beside the queries that have an answer.
//   node bench/search/silence.mjs [--data ../shared/bench/search] [--corpora ../corpora] [--only flask,gin]
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { loadEngine } from './load-engine.mjs'

const { values: opt } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/bench/search' },
    corpora: { type: 'string', default: '../corpora' },
    only: { type: 'string' },
  },
})
const ABOUT_NOTHING = [
  'zzzqqq',
  '日本語',
  'xkcd plugh frobnitz',
  'qwerty asdf zxcv',
  'recipe for chocolate cake',
  'the weather in Paris tomorrow',
  'приготовить борщ',
  'blorptang wuzzle',
  'who won the football match',
  '東京の天気',
  'asdfghjkl',
  'my grandmother likes roses',
  'lorem ipsum dolor sit amet',
  'photosynthesis in plants',
  'quantum chromodynamics lagrangian',
  'aaaaaaa bbbbbbb',
  'how to bake bread',
  'medical diagnosis of the heart',
]
/** The same in the languages that questions are translated from: sensible, but about something else, and then words that mean nothing. */
const ELSEWHERE = {
  Russian: [
    [
      'рецепт шоколадного торта с вишней',
      'какая завтра погода в Париже',
      'как ухаживать за розами зимой',
    ],
    ['бырчик хлюпает мымзу', 'жвырк пудра кломень'],
  ],
  Ukrainian: [
    ['рецепт борщу з пампушками', 'яка погода завтра у Києві', 'як доглядати за трояндами взимку'],
    ['бурчик хлюпає мимзу', 'жвирк їдунь кломень'],
  ],
  German: [
    [
      'wie backt man einen Kuchen mit Äpfeln',
      'das Wetter morgen in Berlin',
      'wie pflegt man Rosen im Winter',
    ],
    ['der wumpel knörzt die flaubige', 'schnurpel und gräffel'],
  ],
  French: [
    [
      'comment faire une tarte aux pommes',
      'quel temps fera-t-il demain à Paris',
      'comment soigner les rosiers en hiver',
    ],
    ['le gloubi trémousse la frouzette', 'un zblourp dans la mirlifleur'],
  ],
  Spanish: [
    [
      'cómo hacer una tarta de manzana',
      'qué tiempo hará mañana en Madrid',
      'cómo cuidar las rosas en invierno',
    ],
    ['el grumpo chifletea la ñascara', 'una blorpa con mirfulia'],
  ],
  Portuguese: [
    [
      'como fazer um bolo de laranja',
      'a previsão da chuva em Lisboa amanhã',
      'como cuidar das rosas no inverno',
    ],
    ['o grumpo chiflenta a zãscara', 'uma blorpa com mirfulhão'],
  ],
  Italian: [
    [
      'come si cucina la pasta al pomodoro',
      'che tempo farà domani a Roma',
      'come curare le rose in inverno',
    ],
    ['il grumbo sfrizzola la gnascara', 'una blorpa con il mirfullo'],
  ],
  Polish: [
    ['jak upiec ciasto z jabłkami', 'jaka będzie jutro pogoda w Krakowie', 'jak dbać o róże zimą'],
    ['gżdacz chlupie mymzę', 'źwirk i pudłoń klomień'],
  ],
  Chinese: [
    ['怎么做红烧肉', '明天北京的天气', '冬天怎么养玫瑰'],
    ['犇猋骉蟲', '魑魅魍魉饕餮'],
  ],
  Japanese: [
    ['りんごのケーキの焼き方', '明日の大阪の天気', '冬のバラの手入れ'],
    ['ぷにょもげらぽん', 'ズビョロンゲの鶸'],
  ],
  Korean: [
    ['김치찌개 만드는 법', '내일 서울 날씨', '겨울에 장미 가꾸는 법'],
    ['쀍뚫꿻쉙', '뷁하는 쯟을'],
  ],
}

const engineFor = await loadEngine()
const counts = { nothing: 0, silent: 0, asked: 0, answered: 0 }
/** By language: how many of the sensible and of the meaningless were asked, and how many had no answer. */
const byLanguage = new Map(
  Object.keys(ELSEWHERE).map((name) => [
    name,
    [
      [0, 0],
      [0, 0],
    ],
  ]),
)
const answered = new Map()
for (const { name } of JSON.parse(readFileSync(join(opt.data, 'repos.json'), 'utf8'))) {
  if (!existsSync(join(opt.corpora, name)) || (opt.only && !opt.only.split(',').includes(name)))
    continue
  const engine = await engineFor(resolve(opt.corpora, name))
  await engine.index()
  for (const query of ABOUT_NOTHING) {
    const { results } = await engine.search({ query, limit: 20 })
    counts.nothing++
    if (results.length === 0) counts.silent++
    else answered.set(query, (answered.get(query) ?? 0) + 1)
  }
  for (const [language, kinds] of Object.entries(ELSEWHERE))
    for (const [kind, queries] of kinds.entries())
      for (const query of queries) {
        const { results } = await engine.search({ query, limit: 20 })
        const count = byLanguage.get(language)[kind]
        count[0]++
        if (results.length === 0) count[1]++
        else answered.set(query, (answered.get(query) ?? 0) + 1)
      }
  const annotations = readFileSync(join(opt.data, 'annotations', `${name}.json`), 'utf8')
  for (const { query } of JSON.parse(annotations)) {
    if (query.length < 3) continue
    counts.asked++
    if ((await engine.search({ query, limit: 10 })).results.length > 0) counts.answered++
  }
  await engine.close()
}
process.stdout.write(
  `about nothing: ${counts.silent} of ${counts.nothing} silent; with an answer: ${counts.answered} of ${counts.asked} answered\n`,
)
const total = [0, 1].map((kind) =>
  [0, 1].map((at) => sum([...byLanguage.values()].map((one) => one[kind][at]))),
)
for (const [language, [sensible, meaningless]] of [...byLanguage, ['all', total]])
  process.stdout.write(
    `${language.padEnd(11)} about something else ${sensible[1]} of ${sensible[0]} silent, meaningless ${meaningless[1]} of ${meaningless[0]}\n`,
  )
for (const [query, times] of answered) process.stdout.write(`  ${times} × ${query}\n`)

function sum(numbers) {
  return numbers.reduce((all, one) => all + one, 0)
}
