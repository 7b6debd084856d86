import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isJsonObject, type JsonObject } from '../../src/lib/json/json.ts'
import { numberOf, objectsOf } from '../../src/lib/json/json-fields.ts'
import { recordedResponses, type Version } from './recorded.ts'

/** The largest page of the emulated server, so that every list has several. */
const MAX_SIZE = 3
const TOKEN = 'secret'

/** The parameter for the size of a page, and whether there is a list of all node pools. */
const GENERATIONS = {
  'v0.1.1': { size: 'pageSize', hasFlatLists: true },
  main: { size: 'size', hasFlatLists: false },
} as const

interface EmulatedApi extends AsyncDisposable {
  readonly url: string
  readonly token: string
}

/**
 * Serves the recorded resources as the API of that version does, with a failure of its first
 * response. With a prefix, the paths of all requests begin with it, as behind a gateway.
 */
export async function startEmulatedApi(version: Version, prefix = ''): Promise<EmulatedApi> {
  const bodies = bodiesOf(version)
  let failures = 1
  const server = createServer((request, response) => {
    const { status, body } =
      request.headers.authorization !== `Bearer ${TOKEN}`
        ? { status: 401, body: { code: 'HYPERFLEET-AUT-001' } }
        : failures-- > 0
          ? { status: 503, body: {} }
          : answer(version, bodies, pathIn(prefix, request))
    response.writeHead(status, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    token: TOKEN,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function bodiesOf(version: Version): ReadonlyMap<string, JsonObject> {
  const responses = recordedResponses(version)
  const all = (pattern: RegExp): JsonObject => ({
    items: responses.filter(({ path }) => pattern.test(path)).map(({ body }) => body),
  })
  const base = '/api/hyperfleet/v1'
  const lists: readonly (readonly [string, JsonObject])[] = [
    [`${base}/clusters`, all(/\/clusters\/[^/]+$/)],
    ...(GENERATIONS[version].hasFlatLists
      ? [[`${base}/nodepools`, all(/\/nodepools\/[^/]+$/)] as const]
      : []),
  ]
  return new Map([...lists, ...responses.map(({ path, body }) => [path, body] as const)])
}

function pathIn(prefix: string, { url = '/' }: IncomingMessage): string {
  return url.startsWith(prefix) ? url.slice(prefix.length) : '/'
}

function answer(
  version: Version,
  bodies: ReadonlyMap<string, JsonObject>,
  path: string,
): { readonly status: number; readonly body: JsonObject } {
  const { pathname, searchParams } = new URL(path, 'http://emulated')
  const body = bodies.get(pathname)
  if (!isJsonObject(body)) return { status: 404, body: {} }
  if (body['items'] === undefined) return { status: 200, body }
  const size = Math.min(Number(searchParams.get(GENERATIONS[version].size) ?? 20), MAX_SIZE)
  const page = numberOf(Number(searchParams.get('page') ?? 1))
  const items = objectsOf(body['items'])
  const shown = items.slice((page - 1) * size, page * size)
  return { status: 200, body: { items: shown, page, size: shown.length, total: items.length } }
}
