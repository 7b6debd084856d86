import type { Session } from '../session/session.ts'

interface Deletion {
  readonly dryRun?: boolean | undefined
  /** Whether dependents of an object of a plane are deleted before it or after it. */
  readonly propagationPolicy?: 'Background' | 'Foreground' | undefined
}

/** Requests the deletion of an object, and prints the warnings of the server. */
export async function requestDeletion(
  { client, signal, err }: Session,
  path: string,
  { dryRun, propagationPolicy }: Deletion,
): Promise<void> {
  const query = { dryRun: dryRun === true ? 'All' : undefined, propagationPolicy }
  const request = { method: 'DELETE', path, query, retry: 'always', signal } as const
  const { headers } = await client.request(request)
  for (const warning of warningsIn(headers)) err.write(`Warning: ${warning}\n`)
}

/** The texts of `Warning` headers, such as `299 - "2 members are deleted too"`. */
function warningsIn(headers: Headers): readonly string[] {
  const found = (headers.get('warning') ?? '').matchAll(/"((?:[^"\\]|\\.)*)"/g)
  return [...found].map(([, text = '']) => text.replaceAll(/\\(.)/g, '$1'))
}
