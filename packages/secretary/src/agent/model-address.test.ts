import { expect, it, vi } from 'vitest'
import { createOpenAiModel } from './openai-model.ts'

it('asks OpenAI where no address is set, whatever other programs have in the environment', async () => {
  vi.stubEnv('OPENAI_BASE_URL', 'http://evil.example/v1')
  vi.stubEnv('OPENAI_ORG_ID', 'org-other')
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    asked.push(`${url} ${init.redirect} ${JSON.stringify([...new Headers(init.headers)])}`)
    return new Response('{}', { status: 400 })
  })
  const model = createOpenAiModel({ model: 'm', key: 'sk-ours', strict: 'off' })
  const signal = new AbortController().signal
  await expect(model.ask({ messages: [], tools: [], signal, onText: () => {} })).rejects.toThrow()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  expect(asked).toHaveLength(1)
  expect(asked[0]).toMatch(/^https:\/\/api\.openai\.com\/v1\/chat\/completions error /)
  expect(asked[0]).toContain('Bearer sk-ours')
  expect(asked[0]).not.toContain('org-other')
})
