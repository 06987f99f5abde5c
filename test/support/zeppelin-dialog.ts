import type { AgentsHome } from './agents-home.ts'
import { keepWorkedDialog } from './worked-dialog.ts'

export const ASK = 'Round zeppelin prices up to whole cents. Add a test for it.'
// Put together here, so that no scanner takes this file for one that leaks.
export const SECRET = `ghp_${'a1B2c3D4e5'.repeat(4)}`
export const CODE = [
  'export function zeppelinPrice(grams: number): number {',
  '  return Math.ceil(grams * 2.5)',
  '}',
  '',
].join('\n')
export const AT = Date.parse('2026-05-04T10:00:00.000Z')

/** A dialog about a file of the project, with secrets and with places that are only this machine's. */
export function keepZeppelins(home: AgentsHome, sessionId: string, ask = ASK, lastAt = AT) {
  return keepWorkedDialog(
    home,
    sessionId,
    [
      {
        ask,
        minutesAgo: 5,
        acts: [
          { write: 'src/price.ts', text: CODE },
          { write: '../home/notes.txt', text: 'private zucchini notes' },
          { write: '.env', text: 'ZEPPELIN=1' },
          { run: `cd ${home.project} && npm test -- --token ${SECRET}`, output: 'ok' },
          { run: `cat ${home.home}/.npmrc`, output: `found ${SECRET}`, fails: true },
        ],
        says: `I rounded them in ${home.project}/src/price.ts and used ${SECRET}.`,
      },
      { ask: 'Thank you, zeppelins fly.', minutesAgo: 0, says: 'You are welcome.' },
    ],
    { lastAt },
  )
}
