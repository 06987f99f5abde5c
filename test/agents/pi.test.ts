import { proveAgent } from './prove-agent.ts'

proveAgent({
  id: 'pi',
  source: 'pi',
  sessions: /^\.pi\/agent\/sessions\/.*\.jsonl$/,
  hasTools: false,
  settings: (house) =>
    house.write(
      house.inHome('.pi', 'agent', 'models.json'),
      JSON.stringify({
        providers: {
          scripted: {
            baseUrl: `${house.model.url}/v1`,
            apiKey: 'dummy',
            api: 'openai-completions',
            models: [{ id: 'scripted', name: 'Scripted', contextWindow: 128_000, maxTokens: 8000 }],
          },
        },
      }),
    ),
  env: () => ({ PI_OFFLINE: '1' }),
  args: (request, isFirst) => [
    ...['--provider', 'scripted', '--model', 'scripted'],
    ...(isFirst ? [] : ['--continue']),
    ...['-p', request],
  ],
  edit: (path, oldText, newText) => ({
    call: 'edit',
    input: { path, edits: [{ oldText, newText }] },
  }),
  command: (command) => ({ call: 'bash', input: { command } }),
})
