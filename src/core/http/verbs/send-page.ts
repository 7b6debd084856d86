import type { Response } from 'express'
import type { JsonObject } from '../../../lib/json.ts'
import type { Page } from '../../operations/read-page.ts'
import type { FoundResource } from '../../operations/resource-reader.ts'
import { type ListEnvelope, presentList, renderList } from '../present/list.ts'
import type { ReadContext } from './handler.ts'

/** Answers with a page of resources. */
export function sendPage(
  response: Response,
  { send }: Pick<ReadContext, 'send'>,
  envelope: ListEnvelope,
  page: Page<FoundResource>,
): void {
  const bodies = page.items.map(({ body }) => body)
  if (envelope.projection === null) {
    send(response, renderList(envelope, { ...page, items: bodies }))
    return
  }
  const items = bodies.map((body): JsonObject => JSON.parse(body.toString()))
  response.json(presentList(envelope, { ...page, items }))
}
