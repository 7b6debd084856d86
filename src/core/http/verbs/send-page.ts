import type { Response } from 'express'
import { formatToken } from '../../feed/token.ts'
import { parsedResource } from '../../model/resource.ts'
import type { Page } from '../../operations/read-page.ts'
import type { FoundResource } from '../../operations/resource-reader.ts'
import { showExactTimes } from '../../operations/show-exact-times.ts'
import { type ListEnvelope, presentList, renderList } from '../present/list.ts'
import { presentResource } from '../present/resource.ts'
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
  { presentation, render, sendText }: ReadContext,
  envelope: ListEnvelope,
  page: Page<FoundResource>,
): void {
  response.setHeader(RESOURCE_VERSION_HEADER, envelope.resourceVersion)
  if (envelope.projection === null) {
    sendText(response, renderList(envelope, { ...page, items: page.items.map(render) }))
    return
  }
  const items = page.items.map(({ resource, reportTimes }) => {
    const kind = presentation.registry.byName(resource.kind)
    return presentResource(
      presentation,
      kind,
      showExactTimes(kind, parsedResource(resource), reportTimes),
    )
  })
  response.json(presentList(envelope, { ...page, items }))
}
