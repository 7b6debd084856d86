import { assert } from '../../src/lib/assert.ts'
import type { TestResponse, TestServer } from '../support/test-server.ts'

/** Settings of a server that takes tenants from a gateway on this machine. */
export const TENANT_ENV = {
  TRUSTED_PROXIES: '127.0.0.1,::1',
  TENANT_HEADERS: 'org=X-Tenant-Org,project=X-Tenant-Project',
}

/** The headers with which the gateway passes on a request of a tenant. */
export function tenantHeaders(org: string, project = 'web'): Readonly<Record<string, string>> {
  return {
    'X-Tenant-Org': org,
    'X-Tenant-Project': project,
    'X-HyperFleet-Identity': `ada@${org}.example.com`,
  }
}

/** The headers with which the gateway passes on a request of a sentinel or an adapter. */
export const SYSTEM_HEADERS = {
  'X-HyperFleet-System': 'true',
  'X-HyperFleet-Identity': 'adapter@example.com',
}

/** A caller with fixed headers. */
export interface Caller {
  send(
    method: string,
    path: string,
    body?: unknown,
    more?: Record<string, string>,
  ): Promise<TestResponse>
  get(path: string): Promise<TestResponse>
  post(path: string, body: unknown): Promise<TestResponse>
}

export function callerWith(
  server: Pick<TestServer, 'request'>,
  headers: Readonly<Record<string, string>>,
): Caller {
  const send: Caller['send'] = (method, path, body, more = {}) => {
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
    return server.request(method, path, body, { ...type, ...headers, ...more })
  }
  return {
    send,
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
  }
}

/** The resource that a POST of the caller creates. The response must be 201. */
export async function made(
  caller: Caller,
  path: string,
  body: unknown,
): Promise<{ readonly id: string; readonly name: string }> {
  const answer = await caller.post(path, body)
  assert(answer.status === 201, `POST ${path} is answered ${answer.status}: ${answer.text}`)
  return answer.body
}
