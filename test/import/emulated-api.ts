import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '../../src/lib/json/json.ts'
import { numberOf, objectsOf } from '../../src/lib/json/json-fields.ts'
import { recordedResponses, type Version } from './recorded.ts'

/** The largest page of the emulated server, so that every list has several. */
const MAX_SIZE = 3
const TOKEN = 'secret'
const NOT_FOUND = { status: 404, body: {} }

/** The parameter for the size of a page, and whether there is a list of all node pools. */
const GENERATIONS = {
  'v0.1.1': { size: 'pageSize', hasFlatLists: true },
  main: { size: 'size', hasFlatLists: false },
} as const

interface EmulatedApi extends AsyncDisposable {
  readonly url: string
  readonly token: string
  /** The paths of the requests so far. */
  readonly requests: string[]
  /** The resources and the lists of reports by path, which a test may change. */
  readonly bodies: Map<string, JsonObject>
  /** Requests for paths that match one of these are 404. */
  readonly hidden: RegExp[]
}

/**
 * Serves the recorded resources as the API of that version does, with a failure of its first
 * response. With a prefix, the paths of all requests begin with it, as behind a gateway.
 */
export async function startEmulatedApi(version: Version, prefix = ''): Promise<EmulatedApi> {
  const bodies = bodiesOf(version)
  let failures = 1
  const requests: string[] = []
  const hidden: RegExp[] = []
  const server = createServer((request, response) => {
    requests.push(pathIn(prefix, request))
    const { status, body } =
      request.headers.authorization !== `Bearer ${TOKEN}`
        ? { status: 401, body: { code: 'HYPERFLEET-AUT-001' } }
        : failures-- > 0
          ? { status: 503, body: {} }
          : hidden.some((each) => each.test(pathIn(prefix, request)))
            ? NOT_FOUND
            : answer(version, bodies, pathIn(prefix, request))
    response.writeHead(status, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    token: TOKEN,
    requests,
    bodies,
    hidden,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function bodiesOf(version: Version): Map<string, JsonObject> {
  const responses = recordedResponses(version)
  // Lists of resources follow from the resources.
  return new Map(
    responses
      .filter(({ path, body }) => body['items'] === undefined || path.endsWith('/statuses'))
      .map(({ path, body }) => [path, body]),
  )
}

/** The resources in a list; null if the server has no such list. */
function listed(
  version: Version,
  bodies: ReadonlyMap<string, JsonObject>,
  pathname: string,
): readonly JsonObject[] | null {
  const [, parent, plural] =
    /^\/api\/hyperfleet\/v1(.*)\/(clusters|nodepools)$/.exec(pathname) ?? []
  if (plural === undefined || parent === undefined) return null
  const isFlat = parent === '' && plural === 'nodepools'
  if (isFlat && !GENERATIONS[version].hasFlatLists) return null
  if (parent !== '' && !bodies.has(`/api/hyperfleet/v1${parent}`)) return null
  const pattern = isFlat ? /\/nodepools\/[^/]+$/ : new RegExp(`^${pathname}/[^/]+$`)
  return [...bodies].filter(([path]) => pattern.test(path)).map(([, body]) => body)
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
  const items = listed(version, bodies, pathname) ?? body?.['items']
  if (items === undefined) return body ? { status: 200, body } : NOT_FOUND
  const size = Math.min(Number(searchParams.get(GENERATIONS[version].size) ?? 20), MAX_SIZE)
  const page = numberOf(Number(searchParams.get('page') ?? 1))
  const all = objectsOf(items)
  const shown = all.slice((page - 1) * size, page * size)
  return { status: 200, body: { items: shown, page, size: shown.length, total: all.length } }
}
