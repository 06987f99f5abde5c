import { type FailureKind, kindOf } from '@secretary-mcp/core/failure.ts'
import type { TaskReference } from './rule.ts'
import type { Wording } from './wording.ts'

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
    'Языковая модель не настроена, поэтому я отвечаю по простым правилам: могу добавлять, показывать, закрывать, открывать заново, менять и удалять задачи. Как подключить модель, сказано в docs/configuration.md.',
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
    'Приоритетов, меток, людей и сроков у задач нет: есть название, описание и отметка о выполнении. Могу записать это в название или в описание.',
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
}

function nameOf(reference: TaskReference): string {
  if ('id' in reference) return ` ${reference.id}`
  return 'words' in reference ? `, похожей на “${reference.words}”` : ''
}
