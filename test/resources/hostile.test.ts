import net from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { creation, report } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

/** Sends raw bytes, because `fetch` adds and rejects some headers. */
function exchange(target: string, header: string): Promise<string> {
  const { hostname, port } = new URL(server.origin)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = net.connect(Number(port), hostname)
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('end', () => resolve(Buffer.concat(chunks).toString()))
    socket.write(
      `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${header}\r\n\r\n`,
    )
  })
}

/** A create request with this text as its spec. */
function withSpec(spec: string): string {
  return JSON.stringify(creation('Cluster', { spec: null })).replace('null', spec)
}

describe('numbers', () => {
  it.each(['9223372036854775808', '-9223372036854775808', '18446744073709551616'])(
    'returns the integer %s with all digits',
    async (integer) => {
      const field = `"n":${integer}`
      const created = await server.post('/clusters', withSpec(`{${field}}`))
      expect(created.status).toBe(201)
      const { id } = created.body
      const responses = [
        created,
        await server.get(`/clusters/${id}`),
        await server.get(`/clusters?search=id='${id}'`),
        await server.patch(`/clusters/${id}`, `{"spec":{${field},"b":1}}`),
        await server.post(
          `/clusters/${id}/statuses`,
          JSON.stringify(report('dns', { data: { n: 0 } })).replace('"n":0', field),
        ),
        await server.get(`/clusters/${id}/statuses`),
      ]
      for (const { text } of responses) expect(text).toContain(field)
    },
  )

  it('rejects an integer that is not exact as a double', async () => {
    const response = await server.post('/clusters', withSpec('{"n":9223372036854775807}'))
    expect(response.status).toBe(400)
    expect(response.body.errors).toMatchObject([{ field: 'spec.n', constraint: 'exact-integer' }])
  })
})

describe('keys that JavaScript objects inherit', () => {
  it.each(['__proto__', 'constructor', 'toString', 'toJSON', '$type', '$ref', ''])(
    'such as %j are kept in spec, labels and data',
    async (key) => {
      const name = JSON.stringify(key)
      const spec = `{${name}:{${name}:1}}`
      const created = await server.post('/clusters', withSpec(spec))
      const { id } = created.body
      expect(JSON.stringify((await server.get(`/clusters/${id}`)).body.spec)).toBe(spec)
      const body = `{"spec":{${name}:"Json"},"labels":{${name}:"v"}}`
      const patched = await server.patch(`/clusters/${id}`, body)
      expect(patched.text).toContain(body.slice(1, -1))
      const search = encodeURIComponent(`id='${id}' and labels.${name}='v'`)
      expect((await server.get(`/clusters?search=${search}`)).body.total).toBe(1)
      const reported = JSON.stringify(report('dns', { data: null })).replace('null', spec)
      expect((await server.post(`/clusters/${id}/statuses`, reported)).status).toBe(201)
      const statuses = await server.get(`/clusters/${id}/statuses`)
      expect(JSON.stringify(statuses.body.items[0].data)).toBe(spec)
    },
  )

  it.each(['search=__proto__=1', 'orderBy=constructor', 'fields=toString'])(
    'are not valid as field names: %s',
    async (query) => {
      expect((await server.get(`/clusters?${query}`)).status).toBe(400)
    },
  )
})

describe('reports of adapters with unusual names', () => {
  it('are exposed once under the condition type of the name', async () => {
    const { body } = await server.post('/clusters', creation('Cluster'))
    const path = `/clusters/${body.id}`
    const longest = '😀'.repeat(255)
    const adapters = ['-', '--', 'aB', 'a-b', 'ß-x', 'a\nb', '__proto__', 'Ready', longest]
    for (const adapter of adapters) {
      expect((await server.post(`${path}/statuses`, report(adapter))).status).toBe(201)
    }
    const { conditions } = (await server.get(path)).body.status
    expect(conditions.map((condition: { type: string }) => condition.type)).toEqual([
      'Available',
      'Ready',
      'Reconciled',
      'LastKnownReconciled',
      'A\nbSuccessful',
      'ABSuccessful',
      'ReadySuccessful',
      'SSXSuccessful',
      'Successful',
      '__proto__Successful',
      `${longest}Successful`,
    ])
    const statuses = await server.get(`${path}/statuses`)
    expect(statuses.body.total).toBe(adapters.length)
  })

  it('have the usual error for a time of the wrong type', async () => {
    const response = await server.post('/clusters/x/statuses', report('dns', { observed_time: 5 }))
    expect(response.body.errors).toEqual([
      {
        field: 'observed_time',
        message: 'observed_time must be string or null',
        constraint: 'type',
        value: 5,
      },
    ])
  })
})

describe('conditional and range headers', () => {
  const pages = ['openapi', 'openapi.yaml', 'openapi.html', 'openapi-ui/swagger-ui.css']

  it.each(pages)('are ignored for /%s', async (page) => {
    for (const header of [
      'Range: bytes=99999999-',
      'If-Match: "x"',
      'If-Unmodified-Since: Mon, 01 Jan 1990 00:00:00 GMT',
    ]) {
      const response = await exchange(`/api/hyperfleet/v1/${page}`, header)
      expect(response, header).toMatch(/^HTTP\/1.1 200 /)
    }
  })

  it('are ignored for resources without an ETag', async () => {
    const { body } = await server.post('/clusters', creation('Cluster'))
    const statuses = `${body.href}/statuses`
    for (const target of ['/api/hyperfleet', statuses, '/api/hyperfleet/v1/clusters']) {
      expect(await exchange(target, 'If-None-Match: *')).toMatch(/^HTTP\/1.1 200 /)
    }
  })

  it('do not change the documented media type of the YAML document', async () => {
    const { headers } = await server.get('/openapi.yaml')
    expect(headers.get('content-type')).toBe('application/yaml; charset=utf-8')
  })
})

describe('fields', () => {
  it('contains a field once, even if it is requested repeatedly or in parts', async () => {
    const { body } = await server.post('/clusters', withSpec('{"a":{"b":1,"c":2},"d":3}'))
    const list = (fields: string) => server.get(`/clusters?search=id='${body.id}'&fields=${fields}`)
    const repeated = await list(`${'spec.a.b,'.repeat(10_000)}spec.d`)
    expect(repeated.body.items).toEqual([{ id: body.id, spec: { a: { b: 1 }, d: 3 } }])
    for (const fields of ['spec.a,spec.a.b', 'spec.a.b,spec.a']) {
      const whole = await list(fields)
      expect(whole.body.items).toEqual([{ id: body.id, spec: { a: { b: 1, c: 2 } } }])
    }
  })
})
