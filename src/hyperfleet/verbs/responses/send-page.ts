import type { Response } from 'express'
import type { JsonObject } from '../../../lib/json/json.ts'
import { formatResourceVersion } from '../../../store/feed/resource-version.ts'
import type { Page } from '../../../store/operations/list/read-page.ts'
import type { FoundResource } from '../../../store/operations/read/resource-reader.ts'
import { type ListEnvelope, serializeList, renderList } from '../../wire/list.ts'
import type { ReadContext } from '../handler.ts'

/** The header with the resource version from which a list can be watched. */
export const RESOURCE_VERSION_HEADER = 'X-Resource-Version'

/**
 * The resource version from which a list can be watched. Call it before reading the list: the list
 * then contains every change up to this version, because this process knows only committed changes.
 */
export function resourceVersionOf({ operations }: Pick<ReadContext, 'operations'>): string {
  return formatResourceVersion(operations.feed.broadcaster.resourceVersion)
}

/** Sends a page of resources. */
export function sendPage(
  response: Response,
  { send }: Pick<ReadContext, 'send'>,
  { envelope, page }: { readonly envelope: ListEnvelope; readonly page: Page<FoundResource> },
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
