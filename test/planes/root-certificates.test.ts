import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import type { TrustedCertificates } from '../../src/http/server/tls/trusted-certificates.ts'
import { must } from '../../src/lib/assert.ts'
import type { PlaneClient } from '../../src/planes/controllers/client/plane-client.ts'
import { startRequiredObjectController } from '../../src/planes/controllers/required-objects/required-object-controller.ts'
import { rootCertificateMaps } from '../../src/planes/server/required-certificates.ts'
import { systemTimers } from '../../src/planes/controllers/runtime/timers.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { MAPS, NAMESPACES } from './controllers/plane-fixture.ts'

const NAME = 'kube-root-ca.crt'

let server: TestServer
let folder: string
let plane: PlaneClient

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'flotilla-root-ca-'))
  server = await startTestServer({ env: { TLS: 'self-signed=true', DATA_DIR: folder } })
  plane = server.planes.client().plane('root')
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

/** The certificates by namespace. */
async function published(): Promise<Readonly<Record<string, unknown>>> {
  const found: [string, unknown][] = []
  for await (const page of plane.pages(MAPS, { fieldSelector: `metadata.name=${NAME}` })) {
    for (const { metadata, data } of page.items) found.push([metadata.namespace ?? '', data])
  }
  return Object.fromEntries(found)
}

const inAll = (namespaces: readonly string[], certificates: string) =>
  Object.fromEntries(namespaces.map((namespace) => [namespace, { 'ca.crt': certificates }]))

const INITIAL = ['default', 'kube-node-lease', 'kube-public', 'kube-system']
const ALL = [...INITIAL, 'team']

test('every namespace of a plane has the certificates, and a plane without writes stores none', async () => {
  const { current } = must(server.planes.certificates, 'certificates')
  expect(await published()).toEqual(inAll(INITIAL, current()))
  const stored: unknown[] = []
  for await (const page of server.planes.client().scan({ resource: MAPS.plural })) {
    stored.push(...page)
  }
  expect(stored).toEqual([])
  const metadata = { name: 'team' }
  await plane.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata })
  expect(await published()).toEqual(inAll(ALL, current()))
})

test('a config map that was deleted or changed gets the certificates again', async () => {
  const { current } = must(server.planes.certificates, 'certificates')
  let certificates = current()
  const followers: (() => void)[] = []
  const changing: TrustedCertificates = {
    current: () => certificates,
    follow: (callback) => {
      followers.push(callback)
      return { [Symbol.dispose]: () => undefined }
    },
  }
  const context = {
    fleet: server.planes.client(),
    timers: systemTimers,
    random: Math.random,
    onError: (error: unknown) => console.error(error),
  }
  // One deletion before the start, one after it.
  await plane.delete(MAPS, { namespace: 'default', name: NAME })
  await using controller = await startRequiredObjectController(
    context,
    rootCertificateMaps(changing),
  )
  await expect.poll(published).toEqual(inAll(ALL, certificates))
  await plane.delete(MAPS, { namespace: 'team', name: NAME })
  await expect.poll(published).toEqual(inAll(ALL, certificates))
  const change = (namespace: string, fields: object) => {
    const body = { ...fields, data: { 'ca.crt': '', more: 'a' } }
    return plane.patch(MAPS, { namespace, name: NAME }, { type: 'merge', body })
  }
  await change('kube-public', {})
  await change('team', { immutable: true })
  await expect.poll(published).toEqual(inAll(ALL, certificates))
  certificates = 'others'
  for (const follower of followers) follower()
  await expect.poll(published).toEqual(inAll(ALL, 'others'))
  void controller
})
