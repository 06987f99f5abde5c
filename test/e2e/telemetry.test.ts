import { expect, it } from 'vitest'
import { startCollector } from '../support/collector.ts'
import { connectStdio, connectToUrl, startHttpServer } from '../support/mcp-client.ts'

const nameOf = ({ name }: { name: string }) => name

it('a server tells a collector which calls it answered, and nothing of what they said', async () => {
  const collector = await startCollector()
  const server = await startHttpServer({ env: collector.env })
  const client = await connectToUrl(server.url)
  await client.call('add_task', { title: 'Buy unspeakable milk' })
  await client.attempt('delete_task', { id: 'unspeakable', confirm: true })
  await client.close()
  await server.stop()
  const traces = collector.taken.filter(({ path }) => path === '/v1/traces')
  const spans = traces.flatMap(({ body }) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans)
  const call = spans.find(({ name }) => name.endsWith('add_task'))
  const request = spans.find(({ spanId }) => spanId === call.parentSpanId)
  expect(request.name).toBe('POST /mcp')
  const below = spans.filter(({ parentSpanId }) => parentSpanId === call.spanId)
  expect(below.map(nameOf)).toContain('INSERT')
  const metrics = collector.taken.findLast(({ path }) => path === '/v1/metrics')
  const { resourceMetrics } = JSON.parse(metrics?.body ?? '')
  expect(resourceMetrics[0].scopeMetrics[0].metrics.map(nameOf)).toEqual(
    expect.arrayContaining([
      'http.server.request.duration',
      'mcp.server.operation.duration',
      'db.client.operation.duration',
    ]),
  )
  expect(collector.taken.map(({ body }) => body).join()).not.toContain('unspeakable')
  collector.server.close()
})

it('a call goes on the trace that its client sends along', async () => {
  const collector = await startCollector()
  const server = await startHttpServer({ env: collector.env })
  const { client, close } = await connectToUrl(server.url)
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const calling = (traceparent: string) =>
    client.callTool({ name: 'list_tasks', arguments: {}, _meta: { traceparent } })
  await calling(`00-${traceId}-00f067aa0ba902b7-01`)
  await calling('nonsense')
  await close()
  await server.stop()
  const traces = collector.taken.filter(({ path }) => path === '/v1/traces')
  const spans = traces.flatMap(({ body }) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans)
  const calls = spans.filter(({ name }) => name.endsWith('list_tasks'))
  expect(calls).toHaveLength(2)
  expect(calls.filter((call) => call.traceId === traceId)).toMatchObject([
    { parentSpanId: '00f067aa0ba902b7' },
  ])
  collector.server.close()
})

it('a server that an agent starts tells nobody, whatever the environment of the agent says', async () => {
  const collector = await startCollector()
  const client = await connectStdio({ env: collector.env })
  await client.call('add_task', { title: 'Buy milk' })
  await client.close()
  expect(collector.taken).toEqual([])
  collector.server.close()
})
