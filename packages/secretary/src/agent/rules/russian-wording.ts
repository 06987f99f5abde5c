import { type FailureKind, kindOf } from '@secretary-mcp/core/failure.ts'
import type { TaskReference } from './rule.ts'
import type { Wording } from './wording.ts'
import { dateOf } from './words.ts'

const LIST_FIRST = 'Скажите “покажи мои задачи”, чтобы увидеть список.'

const WAIT = 'подождите немного и повторите.'
const REASONS: Partial<Record<FailureKind, string>> = {
  not_found: `такой задачи нет. ${LIST_FIRST}`,
  already_completed: 'задача уже выполнена. Скажите “верни” и её номер, если это не так.',
  rate_limited: 'слишком много запросов. Подождите немного и повторите.',
  validation_error: 'такой текст не подходит. Попробуйте сказать иначе.',
}

const KINDS = {
  complete: 'закрыть',
  reopen: 'вернуть в работу',
  delete: 'удалить',
  update: 'изменить',
  plan: 'изменить',
  show: 'показать',
}

/** “1 задача, 2 задачи, 5 задач”. */
function tasks(count: number): string {
  const forms = { one: 'задача', few: 'задачи', many: 'задач', other: 'задачи', two: '', zero: '' }
  return `${count} ${forms[new Intl.PluralRules('ru').select(count)]}`
}

const stateOf = (completed?: boolean) =>
  completed === undefined ? '' : completed ? 'выполненных ' : 'открытых '

export const russianWording: Wording = {
  introduction:
    'Языковая модель не настроена, поэтому я отвечаю по простым правилам: могу добавлять, показывать, закрывать, открывать заново, менять и удалять задачи, а ещё найти, что вы просили, что с этим стало, откуда взялась строка и где что лежит. Как подключить модель, сказано в docs/configuration.md.',
  examples:
    'Попробуйте: “добавь задачу купить молоко”, “что осталось?”, “отметь купить молоко как выполненную”, “переименуй задачу 2 в …” или “удали задачу 3”.',
  hello: 'Здравствуйте.',
  notUnderstood: 'Я вас не понял.',
  askTitle: 'Какой будет текст задачи?',
  changedMeanwhile: 'За это время всё изменилось.',
  untouched: 'Ничего не удалено и не изменено.',
  instead: 'Что сделать вместо этого?',
  restDropped: 'Ничего не удалено и не изменено, остальное из вашего сообщения тоже не сделано.',
  cannotUndo: 'Последнее изменение отменить нельзя. Скажите, что сделать вместо этого.',
  nothingToUndo: `В этом разговоре отменять нечего. ${LIST_FIRST}`,
  unsupported:
    'Людей и сроков у задач нет: есть название, описание, состояние, приоритет, метки и файлы. Могу записать это в название или в описание.',
  yesToAll: (others) => `(“да, все” удалит и остальные: ${others}.)`,
  whichTask: (kind) => `Какую задачу ${KINDS[kind]}? Назовите номер или слова из названия.`,
  whichOf: (kind) => `Подходит несколько задач. Какую ${KINDS[kind]}?`,
  notFound: (reference) => `Не нашлось задачи${nameOf(reference)}. ${LIST_FIRST}`,
  askText: ({ id, title }) => `Как теперь назвать задачу ${id}, “${title}”?`,
  added: ({ id, title }) => `Добавлена задача ${id}: “${title}”.`,
  changed: (id, title) => `Задача ${id} изменена${title ? `: “${title}”` : ''}.`,
  completed: ({ id, title }) => `Задача ${id}, “${title}”, выполнена.`,
  completedAll: (count) => `Выполнено: ${tasks(count)}.`,
  reopened: ({ title }) => `Задача “${title}” снова открыта.`,
  reopenedAll: (count) => `Снова открыто: ${tasks(count)}.`,
  deleted: (description) => `Готово: удалена ${description}.`,
  undone: ({ id, title, completed }) =>
    `Отменено: задача ${id} снова “${title}”, ${completed ? 'выполнена' : 'открыта'}.`,
  ran: () => 'Готово.',
  failed: ({ errorType = 'unexpected_error' }) =>
    `Не получилось: ${REASONS[errorType] ?? (kindOf(errorType).isTransient ? WAIT : LIST_FIRST)}`,
  none: (completed) => `У вас нет ${stateOf(completed)}задач.`,
  heading: (total, completed) =>
    `У вас ${completed === undefined ? tasks(total) : `${stateOf(completed)}задач: ${total}`}:`,
  more: (count) => `… и ещё ${count}.`,
  thanks: 'Пожалуйста.',
  cannotRemind:
    'Напомнить я не могу: я отвечаю, только когда вы пишете. Всё, что есть в списке, покажу по первой просьбе.',
  plan: ({ state, priority, labels = [] }) => [
    ...(state ? [state === 'doing' ? 'в работе' : 'заблокирована'] : []),
    ...(priority ? [priority === 'high' ? 'высокий приоритет' : 'низкий приоритет'] : []),
    ...labels.map((label) => `#${label}`),
  ],
  noneLike: 'Таких открытых задач нет.',
  notOffered: 'На этом сервере чату это недоступно.',
  noRequest: (words) =>
    words ? `Запросов про “${words}” не нашлось.` : 'В этом проекте запросов пока нет.',
  noReason: (place) => `Не знаю запроса, из-за которого появилось ${place}.`,
  nothingFound: (words) => `Про “${words}” ничего не нашлось.`,
  requestHead: ({ source, index, timestamp }) =>
    `Запрос ${index}${source ? ` (${source})` : ''}, ${dateOf(timestamp)}:`,
  state: ({ state, against, files, ended, commits }) =>
    [
      `${STATES.get(state) ?? state}${against.length > 0 ? ` (${against.map((one) => DOUBTS.get(one) ?? one).join(', ')})` : ''}`,
      ...files.slice(0, MAX_FILES).map(({ path }) => path),
      ...ended,
      ...commits.map(({ sha, subject }) => `коммит ${[sha, subject].filter(Boolean).join(' ')}`),
    ].join('; '),
}

const MAX_FILES = 5

const STATES = new Map([
  ['asked', 'запрошено, сделанного не видно'],
  ['worked_on', 'этим занимались, ничего не изменено'],
  ['changed', 'изменено'],
  ['tested', 'изменено и проверено тестами'],
  ['committed', 'закоммичено'],
])

const DOUBTS = new Map([
  ['interrupted', 'прервано'],
  ['failing', 'последняя проверка не прошла'],
  ['undone', 'отменено'],
  ['replaced', 'заменено'],
  ['unanswered', 'без ответа'],
])

function nameOf(reference: TaskReference): string {
  if ('id' in reference) return ` ${reference.id}`
  return 'words' in reference ? `, похожей на “${reference.words}”` : ''
}
