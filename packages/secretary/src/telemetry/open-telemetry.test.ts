import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { createLog } from '@secretary-mcp/core/log.ts'
import type { Work } from '@secretary-mcp/core/tracing.ts'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openTelemetry } from './open-telemetry.ts'

interface Attribute {
  readonly key: string
  readonly value: object
}
interface Span {
  readonly spanId: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
}
interface Point {
  readonly count: string
  readonly bucketCounts: readonly string[]
  readonly explicitBounds: readonly number[]
}
interface Body {
  readonly resourceSpans: readonly [
    {
      readonly resource: { readonly attributes: readonly Attribute[] }
      readonly scopeSpans: readonly [{ readonly spans: readonly [Span, Span, Span] }]
    },
  ]
  readonly resourceMetrics: readonly [
    {
      readonly scopeMetrics: readonly [{ readonly metrics: readonly [Metric, Metric] }]
    },
  ]
}
interface Metric {
  readonly histogram: { readonly dataPoints: readonly [Point] }
}
interface Received {
  readonly path: string
  readonly headers: Record<string, unknown>
  readonly body: Body
}

let collector: Server
let received: Received[]
let status = 200
beforeEach(async () => {
  received = []
  status = 200
  collector = createServer(async (request, response) => {
    received.push({
      path: request.url ?? '',
      headers: request.headers,
      body: (await json(request)) as Body,
    })
    response.writeHead(status).end('{}')
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
})
afterEach(() => collector.close())

const opened = (lines: string[] = []) =>
  openTelemetry(
    {
      endpoint: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`,
      headers: 'x-key=a%20b, tenant=one',
      service: 'notes',
      replica: 'one',
      version: '1.2.3',
    },
    createLog('warn', (line) => lines.push(line)),
  )
const http = (parent?: string): Work => ({
  name: 'POST /mcp',
  measure: 'http.server.request.duration',
  attributes: { 'http.request.method': 'POST', 'http.route': '/mcp' },
  parent,
})
const call: Work = {
  name: 'tools/call add_task',
  measure: 'mcp.server.operation.duration',
  attributes: { 'gen_ai.tool.name': 'add_task' },
}
const query: Work = {
  name: 'SELECT',
  measure: 'db.client.operation.duration',
  attributes: { 'db.system.name': 'sqlite', 'db.operation.name': 'SELECT' },
}
const spansOf = ({ body }: Received) => body.resourceSpans[0].scopeSpans[0].spans
const metricsOf = ({ body }: Received) => body.resourceMetrics[0].scopeMetrics[0].metrics

it('sends what ran inside what, below the caller’s own trace', async () => {
  const telemetry = opened()
  const trace = 'ab'.repeat(16)
  await telemetry.during(http(`00-${trace}-${'cd'.repeat(8)}-01`), () =>
    telemetry.during(call, async () => {
      await null
      telemetry.after(query, 2)
    }),
  )
  await telemetry.close()
  const traces = received.find(({ path }) => path === '/v1/traces') as Received
  expect(traces.headers).toMatchObject({ 'x-key': 'a b', tenant: 'one' })
  const [select, tool, request] = spansOf(traces)
  expect(request).toMatchObject({ traceId: trace, parentSpanId: 'cd'.repeat(8), kind: 2 })
  expect(tool).toMatchObject({ traceId: trace, parentSpanId: request.spanId })
  expect(select).toMatchObject({ traceId: trace, parentSpanId: tool.spanId, kind: 3 })
  expect(BigInt(select.endTimeUnixNano) - BigInt(select.startTimeUnixNano)).toBe(2_000_000n)
  expect(traces.body.resourceSpans[0].resource.attributes).toContainEqual({
    key: 'service.name',
    value: { stringValue: 'notes' },
  })
})

it('counts durations of everything, also of what is in nobody’s trace', async () => {
  const telemetry = opened()
  telemetry.after(query, 3)
  telemetry.after(query, 80)
  await telemetry.during(http(`00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-00`), async () => {})
  await telemetry.close()
  expect(received.map(({ path }) => path)).toEqual(['/v1/metrics'])
  const [database, requests] = metricsOf(received[0] as Received)
  expect(database).toMatchObject({ name: 'db.client.operation.duration', unit: 's' })
  const [point] = database.histogram.dataPoints
  expect(point).toMatchObject({ count: '2', sum: 0.083 })
  expect(point.bucketCounts).toHaveLength(point.explicitBounds.length + 1)
  expect(point.bucketCounts[0]).toBe('1')
  expect(requests.histogram.dataPoints[0].count).toBe('1')
})

it('marks what failed, and lets the failure through', async () => {
  const telemetry = opened()
  await expect(
    telemetry.during(call, () => Promise.reject(new TypeError('of ours'))),
  ).rejects.toThrow('of ours')
  await telemetry.close()
  const [span] = spansOf(received[0] as Received)
  expect(span).toMatchObject({ status: { code: 2 } })
  expect(JSON.stringify(span)).not.toContain('of ours')
})

it('says once that nobody takes it', async () => {
  const lines: string[] = []
  const telemetry = opened(lines)
  status = 503
  telemetry.after(query, 1)
  await telemetry.close()
  await telemetry.close()
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('telemetry cannot be sent')
})
