import { expect, it } from 'vitest'
import { CENTRAL_WEIGHTS } from '../../../../../src/search/ranking/central-files.ts'
import { FILE_WEIGHTS, ROLE_PENALTIES } from '../../../../../src/search/ranking/rank-files.ts'
import { factorWords } from './factor-words.ts'

it.each(Object.keys({ ...FILE_WEIGHTS, ...ROLE_PENALTIES, ...CENTRAL_WEIGHTS }))(
  'the factor %s is explained in words',
  (name) => expect(factorWords(name)).toMatch(/^[A-Z].* .+/),
)
