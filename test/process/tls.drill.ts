import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import { type Flotilla, startFlotilla } from '../../src/cmd/start-flotilla.ts'
import { readConfig } from '../../src/cmd/settings.ts'
import { getOverTls } from '../../src/http/server/tls/fixtures.ts'
import { createTestDatabase } from '../support/test-database.ts'

interface Serving {
  readonly flotilla: Flotilla
  readonly origin: string
  readonly ca: string
}

async function startWithTls(): Promise<Serving> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tls-'))
  const database = await createTestDatabase()
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    TLS: 'self-signed=true',
    PORT: '0',
    HEALTH_PORT: '0',
    METRICS_PORT: '0',
  }
  const flotilla = await startFlotilla(readConfig(kinds, env), { log: pino({ level: 'fatal' }) })
  onTestFinished(async () => {
    await flotilla[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true })
  })
  const ca = await readFile(join(dataDir, 'tls', 'ca.crt'), 'utf8')
  return { flotilla, origin: `https://127.0.0.1:${flotilla.port}${BASE_PATH}`, ca }
}

test('serves the API over TLS, and health and metrics over plain HTTP', async () => {
  const { flotilla, origin, ca } = await startWithTls()
  expect(await getOverTls(`${origin}/clusters`, ca)).toMatchObject({ status: 200 })
  for (const page of [
    `http://127.0.0.1:${flotilla.healthPort}/readyz`,
    `http://127.0.0.1:${flotilla.metricsPort}/metrics`,
  ]) {
    expect((await fetch(page)).status).toBe(200)
  }
})

test('streams a watch over TLS and ends it at shutdown', async () => {
  const { flotilla, origin, ca } = await startWithTls()
  const received = await new Promise<string>((resolve, reject) => {
    let text = ''
    const watch = request(`${origin}/clusters?watch=true`, { ca, agent: false }, (response) => {
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        if (text === '') void flotilla[Symbol.asyncDispose]()
        text += part
      })
      response.once('end', () => resolve(text))
    })
    watch.once('error', reject)
    watch.end()
  })
  expect(received).toContain('BOOKMARK')
})

test.each([
  [{ TLS: 'cert=a' }, 'TLS: set cert and key, or neither'],
  [{ TLS: 'key=a' }, 'TLS: set cert and key, or neither'],
  [{ TLS: 'cert=a,key=b,self-signed=true' }, 'TLS: self-signed and cert are both set: set one'],
])('rejects the settings %j', (env, problem) => {
  expect(() => readConfig(kinds, env)).toThrow(problem)
})

test('requires authentication on other addresses over TLS too', () => {
  const env = { HOST: '0.0.0.0', TLS: 'self-signed=true' }
  expect(() => readConfig(kinds, env)).toThrow('is not a loopback address')
})
