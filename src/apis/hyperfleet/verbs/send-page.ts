import type { Response } from 'express'
import type { JsonObject } from '../../../lib/json/json.ts'
import { formatResourceVersion } from '../../../core/feed/resource-version.ts'
import type { Page } from '../../../core/operations/list/read-page.ts'
import type { FoundResource } from '../../../core/operations/read/resource-reader.ts'
import { type ListEnvelope, serializeList, renderList } from '../wire/list.ts'
import type { ReadContext } from './handler.ts'

/** The header of what a list says it can be watched from. */
export const RESOURCE_VERSION_HEADER = 'X-Resource-Version'

/**
 * The token to watch a list from, to be taken before the list is read: what this process knows has
 * been committed, so that the list has it.
 */
export function resourceVersionOf({ operations }: Pick<ReadContext, 'operations'>): string {
  return formatResourceVersion(operations.feed.broadcaster.resourceVersion)
}

/** Answers with a page of resources. */
export function sendPage(
  response: Response,
  { send }: Pick<ReadContext, 'send'>,
  envelope: ListEnvelope,
  page: Page<FoundResource>,
): void {
  response.setHeader(RESOURCE_VERSION_HEADER, envelope.resourceVersion)
  const bodies = page.items.map(({ body }) => body)
  if (envelope.projection === null) {
    send(response, renderList(envelope, { ...page, items: bodies }))
    return
  }
  const items = bodies.map((body): JsonObject => JSON.parse(body.toString()))
  response.json(serializeList(envelope, { ...page, items }))
}
