// How often a query about nothing in the project is answered with silence: over the shared corpora, beside the queries that have an answer.
//   node bench/search/silence.mjs [--data ../shared/bench/search] [--corpora ../corpora]
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { loadEngine } from './load-engine.mjs'

const { values: opt } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/bench/search' },
    corpora: { type: 'string', default: '../corpora' },
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
/** The same in the languages that questions are translated from. */
const ABOUT_NOTHING_ELSEWHERE = [
  'рецепт шоколадного торта с вишней',
  'какая завтра погода в Париже',
  'рецепт борщу з пампушками',
  'яка погода завтра у Києві',
  'wie backt man einen Kuchen mit Äpfeln',
  'das Wetter morgen in Berlin',
  'comment faire une tarte aux pommes',
  'quel temps fera-t-il demain à Paris',
  'cómo hacer una tarta de manzana',
  'qué tiempo hará mañana en Madrid',
  'como fazer um bolo de laranja',
  'a previsão da chuva em Lisboa amanhã',
  'come si cucina la pasta al pomodoro',
  'che tempo farà domani a Roma',
  'jak upiec ciasto z jabłkami',
  'jaka będzie jutro pogoda w Krakowie',
  '怎么做红烧肉',
  '明天北京的天气',
  'りんごのケーキの焼き方',
  '明日の大阪の天気',
  '김치찌개 만드는 법',
  '내일 서울 날씨',
]

const engineFor = await loadEngine()
const counts = { nothing: 0, silent: 0, elsewhere: 0, silentElsewhere: 0, asked: 0, answered: 0 }
const answered = new Map()
for (const { name } of JSON.parse(readFileSync(join(opt.data, 'repos.json'), 'utf8'))) {
  if (!existsSync(join(opt.corpora, name))) continue
  const engine = await engineFor(resolve(opt.corpora, name))
  await engine.index()
  for (const query of ABOUT_NOTHING) {
    const { results } = await engine.search({ query, limit: 20 })
    counts.nothing++
    if (results.length === 0) counts.silent++
    else answered.set(query, (answered.get(query) ?? 0) + 1)
  }
  for (const query of ABOUT_NOTHING_ELSEWHERE) {
    const { results } = await engine.search({ query, limit: 20 })
    counts.elsewhere++
    if (results.length === 0) counts.silentElsewhere++
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
  `about nothing: ${counts.silent} of ${counts.nothing} silent, in other languages ${counts.silentElsewhere} of ${counts.elsewhere}; with an answer: ${counts.answered} of ${counts.asked} answered\n`,
)
for (const [query, times] of answered) process.stdout.write(`  ${times} × ${query}\n`)
