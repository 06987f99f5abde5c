import {
  CENTRAL_WEIGHTS,
  FILE_WEIGHTS,
  ROLE_PENALTIES,
} from '@secretary-mcp/search/ranking/rank-files.ts'
import { expect, it } from 'vitest'
import { factorWords } from '../../apps/dashboard/src/pages/search/factor-words.ts'

it.each(Object.keys({ ...FILE_WEIGHTS, ...ROLE_PENALTIES, ...CENTRAL_WEIGHTS }))(
  'the factor %s is explained in words',
  (name) => expect(factorWords(name)).toMatch(/^[A-Z].* .+/),
)
