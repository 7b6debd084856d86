import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nativeType } from '../../../src/planes/native/native-type.ts'
import { CONDITION } from '../../../src/planes/native/schemas/condition.ts'
import { NAMESPACES } from '../../../src/planes/native/core/namespaces/namespaces.ts'
import type { EndpointChunks, NativeResource } from '../../../src/planes/model/native-resource.ts'
import { badRequest } from '../../../src/planes/errors/failures.ts'
import { definition, integer, text } from '../../../src/planes/native/schemas/field-schemas.ts'
import { type PlaneServer, startPlaneServer } from '../../../src/planes/server/plane-server.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'

const GROUP = 'example.com'
const LINES = definition('com.example.v1.Lines', { description: 'Lines of text.', properties: {} })
const RUN = definition('com.example.v1.Run', {
  description: 'A run.',
  properties: { command: text('What to run.') },
})

/** How the streams of the test end, by the name of the object. */
const ended: Record<string, string> = {}
let produced = 0

async function* endless(name: string, signal: AbortSignal): EndpointChunks {
  try {
    for (;;) {
      yield Buffer.alloc(65_536, 'x')
      produced += 1
      if (signal.aborted) return
    }
  } finally {
    ended[name] = signal.aborted ? 'aborted' : 'returned'
  }
}

async function* waiting(name: string, signal: AbortSignal): EndpointChunks {
  yield 'first\n'
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  ended[name] = 'aborted'
}

async function* failing(): EndpointChunks {
  yield 'first\n'
  await sleep(1)
  throw badRequest('broken')
}

function chunksOf(name: string, signal: AbortSignal): EndpointChunks {
  if (name === 'endless') return endless(name, signal)
  return name === 'failing' ? failing() : waiting(name, signal)
}

const TASKS: NativeResource = {
  type: nativeType({
    group: GROUP,
    kind: 'Task',
    plural: 'tasks',
    definitions: 'com.example.v1',
    namespaced: false,
    description: 'A task.',
    properties: {
      spec: definition('com.example.v1.TaskSpec', {
        description: 'Work.',
        properties: { size: integer('Size.') },
      }),
      status: definition('com.example.v1.TaskStatus', {
        description: 'State.',
        properties: { conditions: { type: 'array', items: CONDITION } },
      }),
    },
    hasStatus: true,
    hasGeneration: true,
    printerColumns: [],
    subresources: [
      {
        name: 'log',
        group: GROUP,
        version: 'v1',
        kind: 'Task',
        verbs: ['get'],
        schema: LINES,
        produces: ['text/plain'],
        parameters: [{ name: 'tailLines', type: 'integer', description: 'Last lines.' }],
      },
      {
        name: 'run',
        group: GROUP,
        version: 'v1',
        kind: 'Run',
        verbs: ['create'],
        schema: LINES,
        body: RUN,
        produces: ['application/x-ndjson'],
      },
      { name: 'usage', group: GROUP, version: 'v1', kind: 'Usage', verbs: ['get'], schema: RUN },
    ],
  }),
  endpoints: {
    log: {
      streamed: {
        verb: 'get',
        contentType: 'text/plain',
        maxAgeSeconds: 600,
        open: ({ target, signal }) => Promise.resolve(chunksOf(target.name, signal)),
      },
    },
    run: {
      hasOptionalBody: true,
      streamed: {
        verb: 'create',
        contentType: 'application/x-ndjson',
        maxAgeSeconds: 600,
        open: ({ target, signal }, { command }) => {
          if (command === 'bad') throw badRequest('no such command')
          return Promise.resolve(chunksOf(target.name, signal))
        },
        failure: (error) => `${JSON.stringify({ error })}\n`,
      },
    },
    usage: { get: ({ target }) => Promise.resolve({ command: target.name }) },
  },
}

let database: TestDatabase
let server: PlaneServer
const start = () =>
  startPlaneServer({ databaseUrl: database.url, port: 0, resources: [NAMESPACES, TASKS] })
beforeAll(async () => {
  database = await createTestDatabase()
  server = await start()
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const url = (path: string) => `${server.origin}/apis/${GROUP}/v1/tasks${path}`
// oxlint-disable-next-line typescript/no-explicit-any -- tests look into any JSON
const bodyOf = async (response: Response): Promise<any> => JSON.parse(await response.text())
const json = { 'Content-Type': 'application/json' }

describe('a streamed subresource', () => {
  test('sends chunks while they are produced, with the content type of the endpoint', async () => {
    const abort = new AbortController()
    const response = await fetch(url('/a/log'), {
      signal: abort.signal,
      headers: { Accept: 'text/plain' },
    })
    expect(response.headers.get('content-type')).toBe('text/plain')
    const reader = response.body?.getReader()
    const { value } = (await reader?.read()) ?? {}
    expect(Buffer.from(value ?? []).toString()).toBe('first\n')
    abort.abort()
    await expect.poll(() => ended['a']).toBe('aborted')
  })

  test('pauses its source while the client does not read, and ends it when the client is gone', async () => {
    const abort = new AbortController()
    const response = await fetch(url('/endless/log'), { signal: abort.signal })
    expect(response.status).toBe(200)
    let before = -1
    while (before !== produced) {
      before = produced
      await sleep(300)
    }
    // The buffers of both sockets are far smaller than this.
    expect(produced * 65_536).toBeLessThan(64 * 1024 * 1024)
    abort.abort()
    await expect.poll(() => ended['endless']).toBeDefined()
  })

  test('responds with a Status to a failure before the first chunk', async () => {
    const body = JSON.stringify({ command: 'bad' })
    const response = await fetch(url('/a/run'), { method: 'POST', body, headers: json })
    expect(response.status).toBe(400)
    expect(await bodyOf(response)).toMatchObject({ kind: 'Status', message: 'no such command' })
  })

  test('sends a later failure in the form of the endpoint, or closes the connection', async () => {
    const run = await fetch(url('/failing/run'), { method: 'POST' })
    const [first, last = ''] = (await run.text()).split('\n')
    expect(first).toBe('first')
    expect(JSON.parse(last)).toMatchObject({ error: { kind: 'Status', message: 'broken' } })
    const log = await fetch(url('/failing/log'))
    expect(log.status).toBe(200)
    await expect(log.text()).rejects.toThrow(/terminated/)
  })

  test('rejects other verbs with 405 and serves plain reads', async () => {
    expect((await fetch(url('/a/log'), { method: 'POST' })).status).toBe(405)
    expect(await bodyOf(await fetch(url('/a/usage')))).toEqual({ command: 'a' })
  })

  test('is described with its content types and parameters', async () => {
    const document = await bodyOf(await fetch(`${server.origin}/openapi/v3/apis/${GROUP}/v1`))
    const { get } = document.paths[`/apis/${GROUP}/v1/tasks/{name}/log`]
    expect(Object.keys(get.responses['200'].content)).toEqual(['text/plain'])
    expect(get.parameters).toMatchObject([{ name: 'tailLines', in: 'query' }])
    const { post } = document.paths[`/apis/${GROUP}/v1/tasks/{name}/run`]
    expect(Object.keys(post.responses['200'].content)).toEqual(['application/x-ndjson'])
    const task = document.paths[`/apis/${GROUP}/v1/tasks/{name}`].get
    expect(JSON.stringify(task.parameters)).toContain('#/components/parameters/wait')
  })

  test('ends at shutdown of the server', async () => {
    const response = await fetch(url('/b/log'))
    const reader = response.body?.getReader()
    await reader?.read()
    await server[Symbol.asyncDispose]()
    expect(await reader?.read()).toMatchObject({ done: true })
    expect(ended['b']).toBe('aborted')
    server = await start()
  })
})

describe('a read that waits for a condition', () => {
  const send = async (method: string, path: string, body: object) => {
    const response = await fetch(url(path), { method, body: JSON.stringify(body), headers: json })
    expect(response.status).toBeLessThan(300)
    return bodyOf(response)
  }
  const report = async (name: string, condition: object) => {
    const task = await bodyOf(await fetch(url(`/${name}`)))
    const common = { lastTransitionTime: '2026-01-01T00:00:00Z', reason: 'Test', message: '' }
    return send('PUT', `/${name}/status`, {
      ...task,
      status: { conditions: [{ ...common, ...condition }] },
    })
  }

  test('responds when the status has the condition', async () => {
    await send('POST', '', { metadata: { name: 'done' }, spec: { size: 1 } })
    const waiting = fetch(url('/done?wait=Ready=True&timeout=20s'))
    await report('done', { type: 'Ready', status: 'False' })
    await report('done', { type: 'Ready', status: 'True' })
    const response = await waiting
    expect(response.status).toBe(200)
    const { status } = await bodyOf(response)
    expect(status.conditions[0].status).toBe('True')
    expect((await fetch(url('/done?wait=ready'))).status).toBe(200)
  })

  test('ignores a condition that was observed for an older generation', async () => {
    await send('POST', '', { metadata: { name: 'old' }, spec: { size: 1 } })
    await report('old', { type: 'Ready', status: 'True', observedGeneration: 1 })
    const task = await bodyOf(await fetch(url('/old')))
    await send('PUT', '/old', { ...task, spec: { size: 2 } })
    const waiting = await fetch(url('/old?wait=Ready=True&timeout=200ms'))
    expect(waiting.status).toBe(504)
    await report('old', { type: 'Ready', status: 'True', observedGeneration: 2 })
    expect((await fetch(url('/old?wait=Ready=True'))).status).toBe(200)
  })

  test('responds with 504, the condition and its state after the timeout', async () => {
    await send('POST', '', { metadata: { name: 'never' }, spec: {} })
    const absent = await fetch(url('/never?wait=Ready=True&timeout=100ms'))
    expect(absent.status).toBe(504)
    expect(await bodyOf(absent)).toMatchObject({
      reason: 'Timeout',
      message: 'timed out waiting for tasks "never": the condition Ready is absent',
    })
    await report('never', { type: 'Ready', status: 'False' })
    const other = await bodyOf(await fetch(url('/never?wait=Ready=True&timeout=100ms')))
    expect(other.message).toMatch(/the condition Ready is False \(Test\), not True$/)
  })

  test('responds with 404 if the object does not exist or is deleted meanwhile', async () => {
    expect((await fetch(url('/absent?wait=Ready'))).status).toBe(404)
    await send('POST', '', { metadata: { name: 'deleted' }, spec: {} })
    const waiting = fetch(url('/deleted?wait=Ready&timeout=20s'))
    await sleep(200)
    await send('DELETE', '/deleted', {})
    expect((await waiting).status).toBe(404)
  })

  test('rejects malformed conditions and timeouts', async () => {
    for (const query of [
      'wait=',
      'wait=Ready=Maybe',
      'wait=Ready&timeout=soon',
      'wait=A&timeout=1h',
    ]) {
      const response = await fetch(url(`/never?${query}`))
      expect([query, response.status]).toEqual([query, 400])
    }
    const namespaces = `${server.origin}/api/v1/namespaces/default?wait=Ready&timeout=10ms`
    expect((await fetch(namespaces)).status).toBe(504)
  })

  test('ends with 503 at shutdown of the server', async () => {
    const waiting = fetch(url('/never?wait=Ready&timeout=60s'))
    await sleep(1000)
    // The server has received the earlier request too.
    await fetch(url('/never'))
    await server[Symbol.asyncDispose]()
    expect((await waiting).status).toBe(503)
    server = await start()
  })
})
