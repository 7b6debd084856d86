import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import { serveKeys, signingKey } from '../../src/http/auth/fixtures.ts'
import { must } from '../../src/lib/assert.ts'
import { creation, queryDatabase } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { programsOf, readDocsPage } from './documentation-pages.ts'

/** `fleet.mjs` of docs/build-a-dashboard.md. */
interface Program {
  follow(options: {
    readonly url: string
    readonly getToken?: (last: { readonly isRejected: boolean }) => string
    readonly onChange: (items: ReadonlyMap<string, { readonly name: string }>) => void
    readonly signal: AbortSignal
  }): Promise<void>
}

let folder: string
let program: Program
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-dashboard-'))
  const file = path.join(folder, 'fleet.mjs')
  const source = programsOf(await readDocsPage('build-a-dashboard')).get('fleet.mjs')
  await writeFile(file, must(source, 'fleet.mjs'))
  program = await import(pathToFileURL(file).href)
})
afterAll(() => rm(folder, { recursive: true }))

/** Follows the clusters of a server, and keeps the names that it shows. */
function followClusters(
  server: TestServer,
  getToken?: (last: { readonly isRejected: boolean }) => string,
) {
  const stop = new AbortController()
  const shown = { names: [] as readonly string[] }
  const ended = program.follow({
    url: `${server.origin}${BASE_PATH}/clusters`,
    ...(getToken && { getToken }),
    onChange: (items) => {
      shown.names = [...items.values()].map(({ name }) => name).toSorted()
    },
    signal: stop.signal,
  })
  return {
    shown,
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await ended
    },
  }
}

describe('fleet.mjs of docs/build-a-dashboard.md', () => {
  it('gets a new token if the server rejects the current one', async () => {
    const key = signingKey('RS256', 'current')
    await using keys = await serveKeys(key)
    await using server = await startTestServer({ env: { JWT_JWKS_URL: keys.url } })
    const exp = Math.floor(Date.now() / 1000)
    const bearer = (offset: number): string =>
      key.bearer({ email: 'ada@example.com', exp: exp + offset })
    await server.request('POST', '/clusters', creation('Cluster', { name: 'before' }), {
      Authorization: bearer(600),
      'Content-Type': 'application/json',
    })
    const rejections: boolean[] = []
    await using dashboard = followClusters(server, ({ isRejected }) => {
      rejections.push(isRejected)
      return bearer(isRejected ? 600 : -600).replace('Bearer ', '')
    })
    await expect.poll(() => dashboard.shown.names).toEqual(['before'])
    expect(rejections.slice(0, 2)).toEqual([false, true])
  })

  it('lists again if the change log no longer contains its version', async () => {
    await using server = await startTestServer()
    await using dashboard = followClusters(server)
    await server.post('/clusters', creation('Cluster', { name: 'first' }))
    await expect.poll(() => dashboard.shown.names).toEqual(['first'])
    await queryDatabase(server, `update head set epoch = '00000000'`)
    await queryDatabase(server, `update resources set name = 'restored'`)
    await server.post('/clusters', creation('Cluster', { name: 'second' }))
    await expect.poll(() => dashboard.shown.names).toEqual(['restored', 'second'])
  })
})
