import type { Response } from 'express'
import type { JsonObject } from '../../../lib/json/json.ts'
import { formatToken } from '../../../core/feed/token.ts'
import type { Page } from '../../../core/operations/read-page.ts'
import type { FoundResource } from '../../../core/operations/resource-reader.ts'
import { type ListEnvelope, presentList, renderList } from '../wire/list.ts'
import type { ReadContext } from './handler.ts'

/** The header of what a list says it can be watched from. */
export const RESOURCE_VERSION_HEADER = 'X-Resource-Version'

/**
 * The token to watch a list from, to be taken before the list is read: what this process knows has
 * been committed, so that the list has it.
 */
export function resourceVersionOf({ operations }: Pick<ReadContext, 'operations'>): string {
  return formatToken(operations.feed.hub.position)
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
  response.json(presentList(envelope, { ...page, items }))
}
