import type { Session } from '../session/session.ts'
import type { ObjectRequest } from './get-objects.ts'

const PAGE_SIZE = 500

interface WirePage {
  readonly metadata: {
    readonly continue?: string | undefined
    readonly resourceVersion?: string | undefined
  }
}

/** Reads a list of a plane page by page, in the representation of an Accept header. */
export async function* readObjectPages<T>(
  { client, signal }: Pick<Session, 'client' | 'signal'>,
  { path, selector }: Pick<ObjectRequest, 'path' | 'selector'>,
  accept = 'application/json',
): AsyncGenerator<T & WirePage, void, undefined> {
  for (let next: string | undefined; ;) {
    const { body } = await client.request<T & WirePage>({
      method: 'GET',
      path,
      query: { limit: PAGE_SIZE, labelSelector: selector, continue: next },
      headers: { Accept: accept },
      retry: 'always',
      signal,
    })
    yield body
    next = body.metadata.continue
    if (next === undefined || next === '') return
  }
}
