import { expect } from 'vitest'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import { creation } from './fixtures.ts'
import type { TestResponse, TestServer } from './test-server.ts'

/** References as a request has them. */
export const refs = (...ids: readonly string[]) => ids.map((id) => ({ id }))

/** References as an answer has them. */
export const shown = (kind: string, plural: string, ...ids: readonly string[]) =>
  ids.map((id) => ({ id, kind, href: `${BASE_PATH}/${plural}/${id}` }))

/** Creates a resource; its id. */
export async function make(
  server: TestServer,
  collection: string,
  kind: string,
  members: object = {},
): Promise<string> {
  const answer = await server.post(collection, creation(kind, members))
  expect(answer.status, answer.text).toBe(201)
  return answer.body.id
}

/** The detail of a problem that must be this one. */
export function expectRefused(answer: TestResponse, status: number, code: string): string {
  expect(answer, answer.text).toMatchObject({ status, body: { code: `HYPERFLEET-${code}` } })
  return answer.body.detail
}
