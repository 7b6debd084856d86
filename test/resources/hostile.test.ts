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

/** The answer to bytes as they are: `fetch` adds and refuses headers of its own. */
function exchange(target: string, header: string): Promise<string> {
  const { hostname, port } = new URL(server.origin)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = net.connect(Number(port), hostname)
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('end', () => resolve(Buffer.concat(chunks).toString()))
    socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${header}\r\n\r\n`)
  })
}

/** A creation whose spec is this text. */
function withSpec(spec: string): string {
  return JSON.stringify(creation('Cluster', { spec: null })).replace('null', spec)
}

describe('numbers', () => {
  it.each(['9223372036854775808', '-9223372036854775808', '18446744073709551616'])(
    'brings the integer %s back with all its digits',
    async (integer) => {
      const member = `"n":${integer}`
      const created = await server.post('/clusters', withSpec(`{${member}}`))
      expect(created.status).toBe(201)
      const { id } = created.body
      const answers = [
        created,
        await server.get(`/clusters/${id}`),
        await server.get(`/clusters?search=id='${id}'`),
        await server.patch(`/clusters/${id}`, `{"spec":{${member},"b":1}}`),
        await server.post(
          `/clusters/${id}/statuses`,
          JSON.stringify(report('dns', { data: { n: 0 } })).replace('"n":0', member),
        ),
        await server.get(`/clusters/${id}/statuses`),
      ]
      for (const { text } of answers) expect(text).toContain(member)
    },
  )

  it('refuses an integer that a double cannot hold', async () => {
    const answer = await server.post('/clusters', withSpec('{"n":9223372036854775807}'))
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toMatchObject([{ field: 'spec.n', constraint: 'exact-integer' }])
  })
})

describe('keys that objects inherit', () => {
  it.each(['__proto__', 'constructor', 'toString', 'toJSON', '$type', '$ref', ''])(
    'keeps %j in spec, labels and data',
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
    'takes none of them for a member: %s',
    async (query) => {
      expect((await server.get(`/clusters?${query}`)).status).toBe(400)
    },
  )
})

describe('reports of odd adapters', () => {
  it('surface under the type that their name maps to, each once', async () => {
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

  it('names the type rule of a time as it names every other', async () => {
    const answer = await server.post('/clusters/x/statuses', report('dns', { observed_time: 5 }))
    expect(answer.body.errors).toEqual([
      {
        field: 'observed_time',
        message: 'observed_time must be string or null',
        constraint: 'type',
        value: 5,
      },
    ])
  })
})

describe('conditions that a client puts on an answer', () => {
  const pages = ['openapi', 'openapi.yaml', 'openapi.html', 'openapi-ui/swagger-ui.css']

  it.each(pages)('never fail /%s', async (page) => {
    for (const header of [
      'Range: bytes=99999999-',
      'If-Match: "x"',
      'If-Unmodified-Since: Mon, 01 Jan 1990 00:00:00 GMT',
    ]) {
      const answer = await exchange(`/api/hyperfleet/v1/${page}`, header)
      expect(answer, header).toMatch(/^HTTP\/1.1 200 /)
    }
  })

  it('do not hide a resource that has no version to compare', async () => {
    const { body } = await server.post('/clusters', creation('Cluster'))
    const statuses = `${body.href}/statuses`
    for (const target of ['/api/hyperfleet', statuses, '/api/hyperfleet/v1/clusters']) {
      expect(await exchange(target, 'If-None-Match: *')).toMatch(/^HTTP\/1.1 200 /)
    }
  })

  it('leave the type of the YAML document as documented', async () => {
    const { headers } = await server.get('/openapi.yaml')
    expect(headers.get('content-type')).toBe('application/yaml; charset=utf-8')
  })
})

describe('fields', () => {
  it('keeps a member once, however often and in whatever parts it is named', async () => {
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
