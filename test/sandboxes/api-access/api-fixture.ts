import { createServer, request as sendRequest } from 'node:http'
import { listen } from '../../../src/lib/listen.ts'
import { describeRuntime } from '../../../src/sandboxes/sandboxd/describe-runtime.ts'
import { createHttpPlaneClient } from '../../../src/planes/controllers/client/http/http-plane-client.ts'
import { registerRuntime } from '../../../src/sandboxes/controllers/sandboxes/runtimes/register-runtime.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { bearerOf, type PlaneServer, ROOT, startPlaneServer } from '../../planes/identities.ts'
import { startSandboxd, type TestSandboxd } from '../support/start-sandboxd.ts'

/** A server with roles, and a runtime whose sandboxes can have access to its API. */
export interface ApiFixture extends AsyncDisposable {
  readonly planes: PlaneServer
  readonly sandboxd: TestSandboxd
  /**
   * Creates a sandbox in the namespace `default` of a plane and waits until it runs. `as` is an
   * Authorization header, with other headers in further lines.
   */
  run(plane: string, name: string, spec?: object, as?: string): Promise<BoxInPlane>
}

/** A running sandbox. */
export interface BoxInPlane {
  readonly path: string
  readonly uid: string
  exec(script: string): Promise<string>
  /** Waits for a status of a condition. */
  reaches(type: string, status?: string): Promise<void>
}

/** The path of a plane on the server. */
export function pathOf(plane: string): string {
  return plane === 'root' ? '' : `/clusters/${plane}/control-plane`
}

const POD = { containers: [{ name: 'main', command: ['/bin/sleep', '1000'] }] }
const WAIT_MS = 60_000

interface FixtureOptions {
  /** Runs the runtime as an ordinary user. */
  readonly user?: number
  /** More settings of the server. */
  readonly env?: NodeJS.ProcessEnv
}

/** Starts both, as a server does that registers the runtime of its machine. */
export async function startApiFixture({ user, env }: FixtureOptions = {}): Promise<ApiFixture> {
  const planes = await startPlaneServer({ ROLE: 'all', SANDBOX_RUNTIME: 'off', ...env })
  const sandboxd = await startSandboxd({ ...(user !== undefined && { user }) })
  const { origin } = planes.server
  const gateway = await startSystemGateway(origin)
  const token = bearerOf('root@example.com').replace('Bearer ', '')
  const registration = registerRuntime({
    client: createHttpPlaneClient(
      { server: gateway.origin, userAgent: 'test', token: () => Promise.resolve(token) },
      'root',
      null,
    ),
    describe: () =>
      describeRuntime({
        connection: sandboxd.connection,
        endpoint: sandboxd.endpoint,
        tls: null,
        apiServer: () => Promise.resolve({ url: origin, certificate: '' }),
      }),
    clock: systemClock,
    onError: (error) => process.stderr.write(`registration: ${String(error)}\n`),
  })
  return {
    planes,
    sandboxd,
    run: async (plane, name, spec = {}, as = ROOT) => {
      const list = `${pathOf(plane)}/apis/agents.x-k8s.io/v1beta1/namespaces/default/sandboxes`
      const { podSpec = {}, ...rest } = spec as { readonly podSpec?: object }
      const podTemplate = { spec: { ...POD, automountServiceAccountToken: true, ...podSpec } }
      const sandbox = { metadata: { name }, spec: { podTemplate, ...rest } }
      const created = await planes.call(as, 'POST', list, sandbox)
      if (created.status !== 201) throw new Error(JSON.stringify(created.body))
      const { uid } = created.body.metadata
      const box = boxOf({ planes, sandboxd }, { path: `${list}/${name}`, plane, name, uid, as })
      await box.reaches('Ready')
      return box
    },
    [Symbol.asyncDispose]: async () => {
      await registration[Symbol.asyncDispose]()
      await gateway[Symbol.asyncDispose]()
      await planes[Symbol.asyncDispose]()
      await sandboxd[Symbol.asyncDispose]()
    },
  }
}

interface Place {
  readonly path: string
  readonly plane: string
  readonly name: string
  readonly uid: string
  readonly as: string
}

/** A gateway that marks all requests as those of a system, as it does for runtimes. */
async function startSystemGateway(origin: string) {
  const server = createServer((request, response) => {
    const headers = { ...request.headers, 'x-hyperfleet-system': 'true' }
    const { method, url = '' } = request
    const outgoing = sendRequest(`${origin}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    outgoing.once('error', () => response.destroy())
    request.pipe(outgoing)
  })
  return {
    origin: `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await server[Symbol.asyncDispose]()
    },
  }
}

function boxOf(
  { planes, sandboxd }: Pick<ApiFixture, 'planes' | 'sandboxd'>,
  { path, name, uid, plane, as }: Place,
): BoxInPlane {
  const conditions = async () => {
    const { body } = await planes.call(as, 'GET', path)
    return body?.status?.conditions ?? []
  }
  return {
    path,
    uid,
    exec: async (script) => {
      let output = ''
      const sandbox = { plane, namespace: 'default', name, uid }
      const command = ['/bin/sh', '-c', script]
      for await (const { output: part } of sandboxd.connection.runtime.exec({ sandbox, command })) {
        if (part.case === 'stdout' || part.case === 'stderr') {
          output += Buffer.from(part.value).toString()
        }
      }
      return output
    },
    reaches: async (type, status = 'True') => {
      const deadline = Date.now() + WAIT_MS
      for (;;) {
        const found = await conditions()
        const wanted = (each: { readonly type: string; readonly status: string }): boolean =>
          each.type === type && each.status === status
        if (found.some(wanted)) return
        if (Date.now() > deadline) throw new Error(JSON.stringify(found))
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
  }
}
