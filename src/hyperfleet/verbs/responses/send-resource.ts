import type { Response } from 'express'
import type { Resource } from '../../../store/model/resource.ts'
import { setAuditedResource } from '../../../http/requests/audited-request.ts'
import type { FoundResource } from '../../../store/operations/read/resource-reader.ts'
import { etagOf, isKnown } from '../../wire/etag.ts'
import { serializeResource } from '../../wire/resource.ts'
import type { ReadContext, VerbContext } from '../handler.ts'

/** Sends a resource with its entity tag. */
export function sendResource(
  response: Response,
  { wire }: Pick<VerbContext, 'wire'>,
  resource: Resource,
): void {
  const kind = wire.registry.byName(resource.kind)
  setAuditedResource(response, resource)
  response.set('ETag', etagOf(resource)).json(serializeResource(wire, kind, resource))
}

/** Responds to a read: 304 if `If-None-Match` contains this version. */
export function sendUnlessKnown(
  response: Response,
  { send }: Pick<ReadContext, 'send'>,
  found: FoundResource,
): void {
  response.setHeader('ETag', etagOf(found))
  if (isKnown(response.req, found)) response.status(304).end()
  else send(response, found.body)
}
