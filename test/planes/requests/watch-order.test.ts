import { get, type IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import type { ApiObject } from '../../../src/planes/model/api-object.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { MAPS, openPlane } from '../controllers/plane-fixture.ts'

const SECRETS = { group: '', version: 'v1', plural: 'secrets' }

test('R16: a change never overtakes an older one that another watch of the plane holds back', async () => {
  await using server = await startTestServer()
  const { client, createMap } = await openPlane(server)
  const url = `${server.origin}/clusters/${client.plane}/control-plane/api/v1/namespaces/default`
  /** The events of both watches in the order in which they arrive. */
  const seen: string[] = []
  using _owners = await watch(`${url}/configmaps?watch=true`, seen)
  using _dependents = await watch(`${url}/secrets?watch=true`, seen)
  const createSecret = (name: string) =>
    client.create(SECRETS, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace: 'default' },
    })
  // Watches that have sent an event read the log together.
  await createMap('first')
  const first = await createSecret('second')
  await expect.poll(() => seen.length).toBe(2)
  seen.length = 0
  using log = await followLog(server, client.plane, first)
  const expected: string[] = []
  for (const round of [1, 2, 3, 4, 5]) {
    const name = `owner-${round}`
    await log.passes(await createMap(name))
    // The watch of config maps sends the first event, and holds back those that follow shortly.
    for (const size of ['1', '2']) {
      const patch = { type: 'merge', body: { data: { size } } } as const
      await log.passes(await client.patch(MAPS, { namespace: 'default', name }, patch))
    }
    await createSecret(`of-${name}`)
    expected.push(`ADDED ${name}`, `MODIFIED ${name}`, `MODIFIED ${name}`, `ADDED of-${name}`)
    await expect.poll(() => seen.length).toBe(expected.length)
    expect(seen).toEqual(expected)
  }
})

/** Follows the log of a plane after an object, behind the watches that have begun before. */
async function followLog({ planes }: TestServer, plane: string, after: ApiObject) {
  const revisionOf = ({ metadata }: ApiObject): bigint => BigInt(metadata.resourceVersion ?? 0)
  let reached = revisionOf(after)
  let wake = (): void => undefined
  const following = await planes.store.follow({ plane, resource: '' }, reached, {
    onChanges: (changes) => {
      reached = changes.at(-1)?.revision ?? reached
      wake()
    },
    onLost: () => undefined,
    ready: () => Promise.resolve(),
  })
  return {
    /** Resolves when the watches have the change: they render changes of one read in turns. */
    passes: async (object: ApiObject): Promise<void> => {
      while (reached < revisionOf(object)) await new Promise<void>((resolve) => (wake = resolve))
    },
    [Symbol.dispose]: () => following[Symbol.dispose](),
  }
}

/** Adds the type and the name of each event to a list, as it arrives. */
async function watch(url: string, seen: string[]): Promise<Disposable> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent: false }, resolve).on('error', reject)
  })
  expect(response.statusCode).toBe(200)
  let text = ''
  response.setEncoding('utf8')
  response.on('data', (piece: string) => {
    const lines = (text + piece).split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) {
      const { type, object } = JSON.parse(line)
      seen.push(`${type} ${object.metadata.name}`)
    }
  })
  return { [Symbol.dispose]: () => void response.destroy() }
}
