import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { connectRuntime } from '../../../src/sandboxes/drivers/protocol/connect-runtime.ts'
import type { TlsMaterial } from '../../../src/sandboxes/drivers/protocol/tls-material.ts'
import { registerSandboxd } from '../../../src/sandboxes/sandboxd/register-sandboxd.ts'
import { readSandboxdConfig } from '../../../src/sandboxes/sandboxd/sandboxd-config.ts'
import { testCertificates } from '../../drivers/support/test-certificates.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { runtimeSandbox } from '../support/runtime-sandbox.ts'
import { startSandboxd } from '../support/start-sandboxd.ts'

const RUNTIMES = '/apis/sandbox.flotilla.dev/v1alpha1/sandboxruntimes'

let server: TestServer
let directory: string
let tls: TlsMaterial
let settings: readonly string[]

beforeAll(async () => {
  server = await startTestServer({ env: { SANDBOX_UNISOLATED: 'false' } })
  directory = await mkdtemp(path.join(os.tmpdir(), 'remote-'))
  tls = await testCertificates('sandboxes')
  const files = { ca: tls.ca, cert: tls.cert, key: tls.key }
  for (const [name, text] of Object.entries(files)) {
    await writeFile(path.join(directory, `${name}.pem`), text)
  }
  settings = [
    'listen=https://127.0.0.1:0',
    `tls-ca=${path.join(directory, 'ca.pem')}`,
    `tls-cert=${path.join(directory, 'cert.pem')}`,
    `tls-key=${path.join(directory, 'key.pem')}`,
    `server=${server.origin}`,
  ]
})

afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await rm(directory, { recursive: true, force: true })
})

it('registers with a server without consent, and serves its endpoint with mutual TLS', async () => {
  await using _sandboxd = await startSandboxd({ settings })
  const items = async () => (await fetchJson(server.origin + RUNTIMES)).items
  await expect.poll(async () => (await items())[0]?.status?.renewTime).toBeDefined()
  const [{ spec, status }] = await items()
  expect(status.conditions).toMatchObject([
    { type: 'Ready', status: 'True' },
    { type: 'StartsSandboxes', status: 'True' },
  ])
  expect(spec.endpoint).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
  using trusted = connectRuntime(spec.endpoint, { tls })
  expect((await trusted.runtime.getRuntimeInfo({})).machine).toBe(spec.machine)
  using stranger = connectRuntime(spec.endpoint, { tls: await testCertificates('others') })
  await expect(stranger.runtime.getRuntimeInfo({})).rejects.toMatchObject({ code: 'UNAVAILABLE' })
})

it('is not ready for its server while it serves another installation', async () => {
  await using sandboxd = await startSandboxd()
  const theirs = { id: 'theirs', database: '7002/1/16384' }
  using other = connectRuntime(sandboxd.endpoint, {
    installation: { current: () => Promise.resolve(theirs), forget: () => undefined },
  })
  const box = runtimeSandbox(() => other)
  await box.start('one', 'sleep 4723', { sandbox: { ...box.key, installation: theirs.id } })
  // A call that runs until the end of the test.
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  await other.runtime.watch({}, { signal: stop.signal })[Symbol.asyncIterator]().next()
  const config = readSandboxdConfig({
    SANDBOXD: `dir=${sandboxd.directory},server=${server.origin}`,
  })
  const log = pino({ level: 'silent' })
  await using _registration = await registerSandboxd(
    { endpoints: [sandboxd.endpoint] },
    config,
    log,
  )
  const { id } = await sandboxd.connection.runtime.getRuntimeInfo({})
  const conditions = async () =>
    (await fetchJson(`${server.origin}${RUNTIMES}/${id}`)).status?.conditions ?? []
  await expect.poll(conditions).toContainEqual(
    expect.objectContaining({
      type: 'Ready',
      status: 'False',
      reason: 'OtherInstallation',
      message: expect.stringContaining('the installation theirs uses this runtime'),
    }),
  )
})

it('requires certificates for an endpoint that other machines reach', async () => {
  const starting = startSandboxd({ settings: ['listen=https://127.0.0.1:0'] })
  await expect(starting).rejects.toThrow('SANDBOXD: listen: https:// needs tls-cert')
})

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into any JSON
async function fetchJson(url: string): Promise<any> {
  return (await fetch(url)).json()
}
