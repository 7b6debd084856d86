import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/test-server.ts'

let server: TestServer
let plane: string

beforeAll(async () => {
  server = await startTestServer()
  const { body } = await server.post('/clusters', { kind: 'Cluster', name: 'probed', spec: {} })
  plane = `${server.origin}/clusters/${body.id}/control-plane`
})
afterAll(() => server[Symbol.asyncDispose]())

async function answerOf(url: string, method = 'GET') {
  const response = await fetch(url, { method })
  const { status, headers } = response
  return { status, allow: headers.get('allow'), text: await response.text(), headers }
}

describe.each(['the port of the API', 'the health port', 'a plane'])('probes of %s', (place) => {
  const originOf = () =>
    ({ 'the port of the API': server.origin, 'a plane': plane })[place] ?? server.healthOrigin

  test.each(['/livez', '/readyz', '/healthz'])('%s has the same results', async (probe) => {
    const url = originOf() + probe
    expect((await answerOf(url)).status).toBe(200)
    const head = await answerOf(url, 'HEAD')
    expect([head.status, head.text]).toEqual([200, ''])
    const full = await answerOf(url)
    expect(head.headers.get('content-length')).toBe(full.headers.get('content-length'))

    const names = ['server', 'database', 'writes', 'feed', 'configuration', 'planes']
    const lines = ['ping', ...(probe === '/readyz' ? names : [])].map((name) => `[+]${name} ok\n`)
    const verdict = `${probe.slice(1)} check passed\n`
    expect((await answerOf(`${url}?verbose`)).text).toBe(lines.join('') + verdict)
    expect((await answerOf(`${url}?verbose&exclude=ping`)).text).toBe(
      lines.slice(1).join('') + verdict,
    )
    expect(await answerOf(`${url}/database`)).toMatchObject({ status: 200, text: 'ok' })
    expect((await answerOf(`${url}/database?verbose`)).text).toBe(`[+]database ok\n${verdict}`)
    expect((await answerOf(`${url}/unknown`)).status).toBe(404)
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const { status, allow } = await answerOf(url, method)
      expect([method, status, allow]).toEqual([method, 405, 'GET, HEAD'])
    }
  })
})
