import type { Resource } from '../../model/resource.ts'
import { outputJson } from '../database/prisma-json.ts'
import type { Prisma } from '../../../generated/prisma/client.ts'

/** Prisma's record of a resource as the resource it holds. */
export function resourceOfRecord(record: Prisma.ResourceGetPayload<object>): Resource {
  return {
    id: record.id,
    tenant: record.tenant,
    kind: record.kind,
    name: record.name,
    ownerId: record.ownerId,
    generation: record.generation,
    version: record.version,
    spec: outputJson(record.spec),
    labels: outputJson(record.labels),
    annotations: outputJson(record.annotations),
    refs: outputJson(record.refs),
    conditions: outputJson(record.conditions),
    createdTime: record.createdTime,
    updatedTime: record.updatedTime,
    createdBy: record.createdBy,
    updatedBy: record.updatedBy,
    deletedTime: record.deletedTime,
    deletedBy: record.deletedBy,
  }
}
