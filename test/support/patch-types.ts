import type { TestResponse, TestServer } from './test-server.ts'

/** The content types of a PATCH. */
export const PATCH_TYPES = {
  json: 'application/json',
  merge: 'application/merge-patch+json',
  operations: 'application/json-patch+json',
} as const

/** A PATCH in one of its forms; an object or list as body goes as JSON. */
export function patchAs(
  server: TestServer,
  form: keyof typeof PATCH_TYPES,
  path: string,
  body: unknown,
): Promise<TestResponse> {
  return server.request('PATCH', path, body, { 'Content-Type': PATCH_TYPES[form] })
}
