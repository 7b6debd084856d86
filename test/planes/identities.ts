import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { signingKey } from '../../src/http/auth/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const issuer = signingKey('ES256', 'issuer')

/** An `Authorization` header of a user. */
export function bearerOf(user: string, ...groups: readonly string[]): string {
  const exp = Math.floor(Date.now() / 1000) + 3600
  return issuer.bearer({ email: user, groups, exp })
}

/** A response of a plane. */
export interface PlaneResponse {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into any JSON
  readonly body: any
}

/** Sends requests to the planes of a server with authorization. */
export interface PlaneServer extends AsyncDisposable {
  readonly server: TestServer
  /** `as` is an Authorization header; empty for none. */
  call(as: string, method: string, target: string, body?: unknown): Promise<PlaneResponse>
  /** Server-side apply. */
  apply(as: string, target: string, body: unknown): Promise<PlaneResponse>
}

/** The administrator of servers that these tests start. */
export const ROOT = bearerOf('root@example.com')

/** Starts a server that authorizes by roles. */
export async function startPlaneServer(
  env: NodeJS.ProcessEnv = {},
  databaseUrl?: string,
): Promise<PlaneServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'flotilla-keys-'))
  const file = path.join(folder, 'keys.json')
  await writeFile(file, JSON.stringify({ keys: [issuer.jwk] }))
  const server = await startTestServer({
    ...(databaseUrl !== undefined && { databaseUrl }),
    env: {
      JWT_JWKS_FILE: file,
      AUTHORIZATION: 'rbac',
      AUTHORIZATION_ADMINS: 'user:root@example.com',
      ...env,
    },
  })
  return {
    server,
    call: (as, method, target, body) => call(server.origin + target, { as, method, body }),
    apply: (as, target, body) =>
      call(server.origin + target, { as, method: 'PATCH', body, type: APPLY }),
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

interface Call {
  readonly as: string
  readonly method: string
  readonly body: unknown
  readonly type?: string
}

const APPLY = 'application/apply-patch+yaml'

async function call(
  url: string,
  { as, method, body, type = 'application/json' }: Call,
): Promise<PlaneResponse> {
  const [authorization = '', ...impersonation] = as.split('\n')
  const response = await fetch(url, {
    method,
    headers: {
      ...(authorization !== '' && { authorization }),
      ...(body !== undefined && { 'content-type': type }),
      ...Object.fromEntries(impersonation.map((line) => line.split(': '))),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text) }
}

const EVENTUALLY_MS = 60_000

/** Polls until a result is as expected: other servers and caches see a write a little later. */
export async function eventually(
  attempt: () => Promise<PlaneResponse>,
  status: number,
): Promise<PlaneResponse> {
  const end = performance.now() + EVENTUALLY_MS
  for (;;) {
    const response = await attempt()
    if (response.status === status || performance.now() > end) return response
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
