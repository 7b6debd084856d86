import type { Request, RequestHandler } from 'express'
import type { Authorizer } from '../../access/authorizer.ts'
import type { Context } from '../../store/operations/context.ts'
import { listAudit as readAudit } from '../list-audit.ts'
import type { AuditPosition, AuditRow } from '../storage/list-audit-events.ts'
import { tenantOf } from '../../http/auth/caller.ts'
import { invalid } from '../../lib/errors.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import { textOf } from '../../hyperfleet/query/list-query.ts'
import { planeFilter } from './plane-filter.ts'

const DEFAULT_LIMIT = 100

interface Dependencies {
  readonly operations: Context
  readonly authorizer: Authorizer
}

/** GET of `/audit`. */
export function listAudit({ operations, authorizer }: Dependencies): RequestHandler {
  return async (request, response) => {
    const { query } = request
    const page = await readAudit(operations, {
      tenant: tenantOf(response),
      isVisible: await planeFilter(authorizer, response),
      search: textOf(query['search']) ?? '',
      before: positionOf(query['before']),
      limit: Number(query['limit'] ?? DEFAULT_LIMIT),
    })
    response.json({
      kind: 'AuditEventList',
      items: page.events.map(serializeEvent),
      next: page.next && formatPosition(page.next),
    })
  }
}

function formatPosition({ time, id }: AuditPosition): string {
  return `${time.getTime()}.${id}`
}

function positionOf(text: Request['query'][string]): AuditPosition | null {
  if (text === undefined) return null
  const [, time, id] = typeof text === 'string' ? (/^(\d{1,14})\.(\w{1,64})$/.exec(text) ?? []) : []
  if (time !== undefined && id !== undefined) return { time: new Date(Number(time)), id }
  const message = 'before must be the `next` of a list of audit events'
  throw invalid([{ field: 'before', message, constraint: 'format', value: text }])
}

function serializeEvent(row: AuditRow): JsonObject {
  const {
    user_name: user,
    time,
    dropped,
    request,
    response,
    impersonated_user,
    dry_run,
    ...rest
  } = row
  return {
    ...rest,
    time: time.toISOString(),
    user,
    groups: [...row.groups],
    ...(impersonated_user !== '' && { impersonated_user }),
    ...(dry_run !== '' && { dry_run }),
    ...(dropped > 0 && { dropped }),
    ...(request !== null && { request }),
    ...(response !== null && { response }),
  }
}
