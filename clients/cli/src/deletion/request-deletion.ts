import type { DeleteOptions } from '../commands/delete.ts'
import type { LocatedObject } from '../objects/located-object.ts'
import type { Session } from '../session/session.ts'

const POLICIES = { background: 'Background', foreground: 'Foreground', orphan: 'Orphan' } as const

/** Requests the deletion of an object, and prints the warnings of the server. */
export async function requestDeletion(
  { client, signal, err }: Session,
  { target, path }: LocatedObject,
  { cascade, dryRun }: Pick<DeleteOptions, 'cascade' | 'dryRun'>,
): Promise<void> {
  const policy = target.api === 'plane' ? { propagationPolicy: POLICIES[cascade] } : {}
  const query = { dryRun: dryRun === true ? 'All' : undefined, ...policy }
  const request = { method: 'DELETE', path, query, retry: 'always', signal } as const
  const { headers } = await client.request(request)
  for (const warning of warningsIn(headers)) err.write(`Warning: ${warning}\n`)
}

/** The texts of `Warning` headers, such as `299 - "2 members are deleted too"`. */
function warningsIn(headers: Headers): readonly string[] {
  const found = (headers.get('warning') ?? '').matchAll(/"((?:[^"\\]|\\.)*)"/g)
  return [...found].map(([, text = '']) => text.replaceAll(/\\(.)/g, '$1'))
}
