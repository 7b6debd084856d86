import { get, type IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { startTestServer } from '../../support/test-server.ts'
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
  const expected: string[] = []
  for (const round of [1, 2, 3, 4, 5]) {
    const name = `owner-${round}`
    await createMap(name)
    // The watch of config maps sends the first event, and holds back those that follow shortly.
    for (const size of ['1', '2']) {
      const patch = { type: 'merge', body: { data: { size } } } as const
      await client.patch(MAPS, { namespace: 'default', name }, patch)
    }
    const metadata = { name: `of-${name}`, namespace: 'default' }
    await client.create(SECRETS, { apiVersion: 'v1', kind: 'Secret', metadata })
    expected.push(`ADDED ${name}`, `MODIFIED ${name}`, `MODIFIED ${name}`, `ADDED of-${name}`)
    await expect.poll(() => seen.length).toBe(expected.length)
    expect(seen).toEqual(expected)
  }
})

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
