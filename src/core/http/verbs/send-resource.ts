import type { Request, Response } from 'express'
import type { Resource } from '../../model/resource.ts'
import type { FoundResource } from '../../operations/resource-reader.ts'
import { etagOf, isKnown } from '../etag.ts'
import { presentResource } from '../present/resource.ts'
import type { ReadContext } from './handler.ts'

/** Answers with a resource and its entity tag. */
export function sendResource(
  response: Response,
  { presentation }: Pick<ReadContext, 'presentation'>,
  resource: Resource,
): void {
  const kind = presentation.registry.byName(resource.kind)
  response.set('ETag', etagOf(resource)).json(presentResource(presentation, kind, resource))
}

/** Answers a read: 304 where `If-None-Match` says that the caller has this version. */
export function sendUnlessKnown(
  request: Request,
  response: Response,
  { render, sendText }: Pick<ReadContext, 'render' | 'sendText'>,
  found: FoundResource,
): void {
  const { resource } = found
  response.setHeader('ETag', etagOf(resource))
  if (isKnown(request, resource)) response.status(304).end()
  else sendText(response, render(found))
}
