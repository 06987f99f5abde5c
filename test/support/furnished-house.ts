import { utimesSync } from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'
import { bucketOf } from '@secretary-mcp/core/calls.ts'
import { AgentsHome } from './agents-home.ts'
import { keepDialog, openHouse, type PageHouse, writeProjectFile } from './page-house.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { keepWorkedDialog, type WorkedTurn } from './worked-dialog.ts'

const HOUR = 3_600_000
const JANUARY = Date.UTC(2026, 0, 20) / 1000

const ORCHARD = [
  `Let growers book a picking slot from their phone.
A slot has a date, an orchard and at most six pickers. Keep the old telephone list working until the season is over.`,
  'The slots of two orchards overlap when daylight saving begins. Find out why before you change anything.',
  'Store times in UTC and show them in the orchard’s own zone. Add a test for the night of 29 March.',
  'Now the confirmation mail. Plain text, no pictures, and the address of the orchard in the first line.',
  `Before we ship: go through everything I asked today and tell me what is still open.`,
]
const ORCHARD_ANSWERS = [
  `Growers can book from their phone now.

- \`src/slots/book-slot.ts\` holds the rule of **at most six pickers**
- the telephone list reads the same slots, so both show the same places

\`\`\`ts
bookSlot(slot, orchard, 'Ada')
\`\`\``,
  `The list writes local times without a zone. On 29 March the hour from 02:00 to 03:00 does not exist, and two slots fall on the same moment.

| orchard | written | meant |
|---|---|---|
| Hillside | 02:30 | 01:30 UTC |
| Meadow | 03:30 | 01:30 UTC |

I have changed nothing yet.`,
  'Times are stored in UTC. The night of 29 March has a test for each zone an orchard lies in.',
  `## The confirmation mail

It is plain text, eight lines, and the first of them is the address of the orchard, so that a phone shows it without opening the mail. The second line has the slot in the orchard’s own zone, with the day of the week before the date; growers told us that they plan by weekdays.

Then come, in this order:

1. how many pickers are booked, and how many places are left
2. the name of the foreman, and the number under which they answer
3. what to bring: gloves, boots, a bottle of water
4. how to cancel: a link that works until the evening before, and the telephone list for everybody else

What I left out on purpose:

- pictures and HTML, as you asked
- the price list, because it changes during the season and an old mail would be wrong
- the names of the other pickers, because nobody agreed to have theirs sent around

The text lies in \`src/mail/confirmation.ts\`. The function takes the address and gives the lines, so the test compares them one by one:

\`\`\`ts
expect(confirmation('Hillside 4').split('\\n')[0]).toBe('Hillside 4')
\`\`\`

Sending is another matter. The mail server refuses more than two hundred mails an hour, and on the first day of the season we will have more than that. I suggest a queue in the database with one row for each mail; a worker takes the oldest, sends it and notes the time. If the worker is stopped in the middle, the row stays and is sent later, at the worst twice. I have not begun with it: say whether you want the queue now, or whether two hundred an hour are enough for this year.`,
  'Still open: the **confirmation mail** waits for the addresses, and nobody has turned the telephone list off.',
]
const PARSER = [
  'The import of the harvest list fails on rows with a comma in the name. Use a real CSV parser instead of split.',
  'Good. Report every bad row with its line number, and import the rest.',
]
const ROTA = [
  'Move the rota from the spreadsheet into the database, one row for each shift.',
  'Who may change a shift? Only the foreman of that orchard.',
]

const SOURCE = `import { DateTime } from './date-time.ts'
import type { Orchard, Slot } from './orchard.ts'

const MAX_PICKERS = 6

/** Books a place in a picking slot, if there is one left. */
export function bookSlot(slot: Slot, orchard: Orchard, picker: string): Slot {
  if (slot.pickers.length >= MAX_PICKERS) throw new Error('The slot is full')
  if (slot.pickers.includes(picker)) return slot
  return { ...slot, pickers: [...slot.pickers, picker], changedAt: DateTime.now(orchard.zone) }
}

/** Slots are stored in UTC; people see them in the orchard's own zone. */
export function shownTime(slot: Slot, orchard: Orchard): string {
  return DateTime.fromUtc(slot.startsAt, orchard.zone).toText('EEE d MMM, HH:mm')
}
`

const MAIL =
  "export function confirmation(address: string): string {\n  return [address, '', 'Your slot is booked.'].join('\\n')\n}\n"

/** The requests a quarter of an hour apart, each with what the agent did for it. */
function workedOrchard(): WorkedTurn[] {
  const half = SOURCE.indexOf('/** Slots are stored')
  const acts: readonly WorkedTurn['acts'][] = [
    [
      { write: 'src/slots/book-slot.ts', text: SOURCE.slice(0, half) },
      { run: 'npm test', output: 'Tests: 4 passed' },
      {
        run: 'git commit -m "feat: book a picking slot"',
        output: '[main 4f2a9c1] feat: book a picking slot',
      },
    ],
    [{ run: 'npm test -- daylight', fails: true, output: 'Tests: 1 failed' }],
    [
      {
        edit: 'src/slots/book-slot.ts',
        from: SOURCE.slice(half - 2, half),
        to: SOURCE.slice(half - 2),
      },
      { run: 'npm test', output: 'Tests: 9 passed' },
    ],
    [{ write: 'src/mail/confirmation.ts', text: MAIL }],
    [],
  ]
  return ORCHARD.map((ask, place) => ({
    ask,
    acts: acts[place],
    says: ORCHARD_ANSWERS[place],
    minutesAgo: (ORCHARD.length - 1 - place) * 15,
  }))
}

/** A house as it looks after a few days of work: dialogs, tasks, rules, code, calls. */
export function openFurnishedHouse(): Promise<PageHouse> {
  const home = new AgentsHome(temporaryFolder(), 'home/code/orchard')
  return openHouse(furnish, {}, home).then(fill)
}

function furnish(home: AgentsHome): void {
  const now = Date.now()
  const older = [
    home.codex(),
    home.gemini('session.json'),
    home.vscode('v3.json', 'vs-v3.json'),
    home.copilotCli(),
    home.cline(),
  ]
  for (const path of older) utimesSync(path, JANUARY, JANUARY)
  keepWorkedDialog(home, 'orchard', workedOrchard(), {
    lastAt: now - 12 * 60_000,
    summary: 'Booking picking slots',
  })
  keepDialog(home, 'parser', PARSER, now - 26 * HOUR, { summary: 'Harvest import' })
  keepDialog(home, 'rota', ROTA, now - 75 * HOUR, { summary: 'Rota in the database' })
  writeProjectFile(
    home,
    'package.json',
    '{"name":"orchard","type":"module","devDependencies":{"typescript":"7.0.2"}}\n',
  )
  writeProjectFile(home, 'tsconfig.json', '{"compilerOptions":{"strict":true}}\n')
  writeProjectFile(home, 'src/slots/book-slot.ts', SOURCE)
  writeProjectFile(
    home,
    'src/slots/date-time.ts',
    'export class DateTime {\n  static now(zone: string) {\n    return { zone, at: Date.now() }\n  }\n}\n',
  )
  writeProjectFile(home, 'src/mail/confirmation.ts', MAIL)
}

/** What the server counted in the hours before, as a working day leaves it. */
function earlierCalls({ home }: PageHouse): void {
  const database = new DatabaseSync(home.path('.secretary', 'secretary.db'), { timeout: 60_000 })
  database.exec('begin immediate')
  const add = database.prepare(
    "insert into tool_tallies (tool, user_id, hour, key, count) values (?, 'ada', ?, ?, ?) on conflict do nothing",
  )
  for (const [place, [tool, ms]] of CALLS.entries()) {
    for (let ago = 1; ago < 22; ago++) {
      const hour = new Date(Date.now() - ago * HOUR).toISOString().slice(0, 13)
      const calls = Math.round((1 + Math.sin((ago + place) / 3.2)) * (14 - 2 * place))
      if (calls === 0) continue
      add.run(tool, hour, 'ok', calls)
      if (ago % 5 === place) add.run(tool, hour, 'error:not_found', 2)
      if (ago % 9 === place) add.run(tool, hour, 'limited', 3)
      add.run(tool, hour, `bucket:${bucketOf(ms * (1 + (ago % 4) / 6))}`, calls)
      add.run(tool, hour, `bucket:${bucketOf(ms * 3)}`, Math.ceil(calls / 12))
    }
  }
  database.exec('commit')
  database.close()
}

const CALLS: readonly (readonly [tool: string, ms: number])[] = [
  ['context_search', 24],
  ['read_file', 3],
  ['list_tasks', 1],
  ['copilot_chat_secretary_get_request', 2],
  ['guide_get_content', 5],
]

const TASKS: readonly (readonly [title: string, description?: string])[] = [
  [
    'Ask the growers which telephone numbers still ring',
    'The old list has 214 entries, some from 2009',
  ],
  ['Write the confirmation mail', 'Plain text, the address of the orchard in the first line'],
  [
    'Test the night of 29 March',
    'Slots at 01:30, 02:30 and 03:30 in every zone an orchard lies in',
  ],
  ['Report bad rows of the harvest list with their line numbers'],
  [
    'Let the foreman of an orchard change its shifts',
    'Nobody else; the rota is read-only for pickers',
  ],
  ['Show the slots of a week on one screen'],
  ['Turn the telephone list off after the season'],
]

async function fill(house: PageHouse): Promise<PageHouse> {
  for (const [title, description] of TASKS)
    await house.api('POST', '/api/v1/tasks', { title, description })
  await house.api('POST', '/api/v1/tasks/4/complete')
  await house.api('POST', '/api/v1/tasks/6/complete')
  await house.api('PUT', '/api/v1/tasks/2/request', { session_id: 'orchard', request_index: 4 })
  await house.api('PUT', '/api/v1/tasks/3/request', { session_id: 'orchard', request_index: 3 })
  await house.tool('guide_use_profile', { name: 'typescript' })
  await house.tool('guide_set_project_flag', { name: 'season', value: 'autumn' })
  await house.tool('guide_set_feature_flag', { name: 'team', value: ['web', 'field'] })
  await house.tool('guide_set_feature_flag', { name: 'strict', value: true })
  await house.tool('guide_set_project_flag', { name: 'strict', value: false })
  await house.tool('copilot_chat_secretary_list_dialogs', {})
  earlierCalls(house)
  for (let call = 0; call < 12; call++) await house.tool('list_tasks', { limit: call + 1 })
  await house.tool('complete_task', { task_id: 4 })
  await house.tool('record_discovery', {
    type: 'decision',
    content:
      'Slots are stored in UTC and shown in the zone of the orchard, because two orchards lie across a border',
    module: 'slots',
    files: ['src/slots/book-slot.ts'],
  })
  await house.tool('record_discovery', {
    type: 'issue',
    content: 'The telephone list writes local times without a zone; never compare them with slots',
    module: 'slots',
  })
  await house.api('POST', '/api/v1/chat', { message: 'What is left to do?' })
  return house
}
