import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeTenant } from '../../src/access/tenant.ts'
import type { TlsMaterial } from '../../src/sandboxes/drivers/protocol/tls-material.ts'
import { must } from '../../src/lib/assert.ts'
import { placeTenant } from '../../src/shards/storage/directory.ts'
import { callerWith, made, SYSTEM_HEADERS, tenantHeaders } from '../auth/tenants.ts'
import { testCertificates } from '../drivers/support/test-certificates.ts'
import { creation } from '../support/fixtures.ts'
import { freePort } from '../support/free-port.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { register, SHARD_KEY, startShards, type TestShards } from './shard-servers.ts'

const HOP = { 'X-Flotilla-Shard-Key': SHARD_KEY, 'X-Flotilla-Shard-Client': '203.0.113.9' }

let installation: TestShards
let certificates: TlsMaterial
let folder: string
/** The listeners for servers, by shard. */
const ports = new Map<string, number>()

beforeAll(async () => {
  certificates = await testCertificates('shards')
  folder = await mkdtemp(join(tmpdir(), 'shards-tls-'))
  const fileOf = (name: string): string => join(folder, name)
  await writeFile(fileOf('ca.pem'), certificates.ca)
  await writeFile(fileOf('cert.pem'), certificates.cert)
  await writeFile(fileOf('key.pem'), certificates.key)
  for (const name of ['a', 'b']) ports.set(name, await freePort())
  installation = await startShards(['a', 'b'], (name) => ({
    SHARD: [
      `name=${name},port=${ports.get(name)},tls-ca=${fileOf('ca.pem')}`,
      `tls-cert=${fileOf('cert.pem')},tls-key=${fileOf('key.pem')}`,
    ].join(),
  }))
  for (const { name, databaseUrl, server } of installation.shards) {
    const servers = [server.origin, `https://127.0.0.1:${ports.get(name)}`]
    await register(installation.directoryUrl, { name, database: databaseUrl, servers })
  }
  await using directory = openTestDatabase(installation.directoryUrl)
  await placeTenant(directory, encodeTenant({ org: 'acme', project: 'web' }), 'b')
})
afterAll(async () => {
  await installation[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

function sendToListener(tls: Partial<TlsMaterial>, headers: Readonly<Record<string, string>>) {
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const url = `https://127.0.0.1:${ports.get('b')}/api/hyperfleet/v1/clusters`
    const sent = request(
      url,
      { ca: certificates.ca, ...tls, headers, agent: false },
      (response) => {
        const { statusCode: status = 0 } = response
        text(response).then((body) => resolve({ status, body }), reject)
      },
    )
    sent.once('error', reject).end()
  })
}

test('servers forward requests and ask questions over mutual TLS', async () => {
  const { server } = must(installation.shards[0], 'a shard')
  // Several requests, so that every registered URL would have had its turn.
  for (let index = 0; index < 4; index += 1) {
    const acme = callerWith(server, tenantHeaders('acme'))
    const { id } = await made(acme, '/clusters', creation('Cluster'))
    const found = await callerWith(server, SYSTEM_HEADERS).get(`/clusters/${id}`)
    expect([found.status, found.body?.id]).toEqual([200, id])
  }
})

test('a connection to the listener of servers needs a certificate of their authority', async () => {
  const headers = { ...tenantHeaders('acme'), ...HOP }
  const { cert, key } = certificates
  expect(await sendToListener({ cert, key }, headers)).toMatchObject({ status: 200 })
  await expect(sendToListener({}, headers)).rejects.toThrow()
  const foreign = await testCertificates('others')
  await expect(sendToListener({ cert: foreign.cert, key: foreign.key }, headers)).rejects.toThrow()
})

test('the port of the API accepts no request of a server, even with the key', async () => {
  const { server } = must(installation.shards[1], 'a shard')
  const misplaced = { ...tenantHeaders('elsewhere'), ...HOP }
  await using directory = openTestDatabase(installation.directoryUrl)
  await placeTenant(directory, encodeTenant({ org: 'elsewhere', project: 'web' }), 'a')
  // A request of a server would not be forwarded again.
  expect((await callerWith(server, misplaced).get('/clusters')).status).toBe(200)
})
