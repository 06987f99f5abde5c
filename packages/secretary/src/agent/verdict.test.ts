import { describe, expect, it } from 'vitest'
import { verdictOf } from './verdict.ts'

const QUESTION = 'This cannot be undone. Delete task 3, “Buy milk”, for good? Answer yes or no.'

describe('the reply to a yes-or-no question', () => {
  it.each<[string | undefined, ...string[]]>([
    [
      'yes',
      'Yes!',
      'yes please',
      'Yes, delete it',
      'y',
      'ok',
      'Sure, go ahead',
      'do it',
      'go ahead',
    ],
    ['yes', 'delete it', 'Yes, delete task 3', 'yes, delete buy milk', 'of course'],
    ['yes', 'да', 'Да, удали', 'да, пожалуйста', 'конечно', 'Ага', 'удаляй', 'Да, удали её'],
    [
      'no',
      'No.',
      'no',
      'nope',
      'no thanks',
      "No, don't",
      'never mind',
      'keep it',
      'cancel',
      "don't",
    ],
    ['no', 'нет', 'Нет, спасибо', 'не надо', 'не удаляй', 'отмена', 'оставь', 'неа'],
    ['stop', 'stop', 'Stop!', 'стоп', 'хватит', 'abort'],
    [
      undefined,
      'yes, but rename it first',
      'yes, delete task 5',
      'what is it?',
      'не знаю, удали 5',
    ],
    [undefined, 'no, delete task 5', 'hmm', '', 'да, но потом', 'yes and also everything else'],
  ])('means %s', (verdict, ...replies) => {
    for (const reply of replies)
      expect([reply, verdictOf(reply, QUESTION)]).toEqual([reply, verdict])
  })
})
