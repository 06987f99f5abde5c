import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { estimateTokens, fitTokens } from './token-estimate.ts'

const texts = {
  prose:
    'Let people log in with a passkey. Keep the password form as it is, and say in the changelog what changed.',
  code: 'export function estimateTokens(text: string): number {\n  return Math.ceil(text.length / 3.5)\n}',
  russian: 'Добавь проверку формы входа и напиши к ней тесты, пожалуйста.',
  chinese: '请为登录表单添加验证并编写测试。',
  json: '{"success":true,"sessionId":"abc-123","requests":[{"index":1,"request":"Add a cart"}]}',
}

describe('estimate of tokens', () => {
  it.each(Object.entries(texts))(
    'is not below what a tokenizer counts, nor far above: %s',
    (_name, text) => {
      const counted = countTokens(text)
      expect(estimateTokens(text)).toBeGreaterThanOrEqual(counted)
      expect(estimateTokens(text)).toBeLessThan(counted * 2.5)
    },
  )

  it('fits a text into a number of tokens, and leaves a short one alone', () => {
    const long = texts.prose.repeat(50)
    const fitted = fitTokens(long, 100)
    expect(long.startsWith(fitted)).toBe(true)
    expect(estimateTokens(fitted)).toBe(100)
    expect(fitTokens('short', 100)).toBe('short')
  })
})
