import { expect, test } from 'vitest'
import type { RequestFacts } from '../../lib/tracing/request-context.ts'
import { recordFacts, runInContext } from '../../lib/tracing/request-context.ts'
import { logInto } from '../server/fixtures.ts'
import { createSlowLog } from './slow-log.ts'

function slowLog(thresholdMs = 100) {
  const lines: Record<string, unknown>[] = []
  const counted: string[] = []
  const clock = { ms: 0 }
  const settings = { thresholdMs }
  const observe = createSlowLog({
    log: logInto(lines),
    thresholdMs: () => settings.thresholdMs,
    onSlow: (statement) => counted.push(statement),
    now: () => clock.ms,
  })
  return { lines, counted, clock, settings, observe }
}

function requestWith(facts: Partial<RequestFacts> = {}): RequestFacts {
  return { id: 'r1', traceId: null, user: null, search: null, ...facts }
}

test('logs statements from the threshold on, and counts them', () => {
  const { lines, counted, observe } = slowLog()
  observe('list_resources', 0.0999, true, 3)
  observe('list_resources', 0.1, true, 3)
  observe('write_reports', 2.5, false, null)
  expect(counted).toEqual(['list_resources', 'write_reports'])
  expect(lines).toMatchObject([
    { level: 40, msg: 'slow statement', statement: 'list_resources', duration_ms: 100, rows: 3 },
    { statement: 'write_reports', duration_ms: 2500, failed: true },
  ])
  expect(lines[1]).not.toHaveProperty('rows')
})

test('names the request, its caller and its search', () => {
  const { lines, observe } = slowLog()
  const request = requestWith()
  runInContext({ requests: [request], span: null }, () => {
    recordFacts({ user: 'ada@example.com' })
    recordFacts({ search: "name = 'a'" })
    observe('list_resources', 1, true, 0)
  })
  const fields = { request_id: 'r1', user: 'ada@example.com', search: "name = 'a'" }
  expect(lines).toMatchObject([fields])
})

test('names the first request of a batch and their number', () => {
  const { lines, observe } = slowLog()
  const requests = [requestWith(), requestWith({ id: 'r2' })]
  runInContext({ requests, span: null }, () => observe('read_resources', 1, true, 2))
  expect(lines).toMatchObject([{ request_id: 'r1', requests: 2 }])
})

test('cuts a long search', () => {
  const { lines, observe } = slowLog()
  const request = requestWith({ search: 'x'.repeat(10_000) })
  runInContext({ requests: [request], span: null }, () => observe('list_resources', 1, true, 2))
  expect(String(lines[0]?.['search'])).toHaveLength(2048)
})

test('is off at 0, and follows changes of the threshold', () => {
  const { lines, settings, observe } = slowLog(0)
  observe('list_resources', 60, true, 0)
  settings.thresholdMs = 10
  observe('list_resources', 0.01, true, 0)
  expect(lines).toHaveLength(1)
})

test('bounds the lines of a burst and reports the suppressed ones, but counts all', () => {
  const { lines, counted, clock, observe } = slowLog()
  for (let each = 0; each < 50; each += 1) observe('list_resources', 1, true, 0)
  expect(lines).toHaveLength(20)
  expect(counted).toHaveLength(50)
  clock.ms += 1000
  observe('list_resources', 1, true, 0)
  observe('list_resources', 1, true, 0)
  expect(lines[20]).toMatchObject({ suppressed_lines: 30 })
  expect(lines[21]).not.toHaveProperty('suppressed_lines')
})
