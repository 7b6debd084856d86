import { isJsonObject, type JsonValue } from '../../../lib/json/json.ts'
import type { AuditEvent } from '../../audit/audit-event.ts'
import type { Database } from '../database/database.ts'

/** PostgreSQL rejects U+0000 in text, and surrogates without a partner in JSON. */
const UNSTORABLE = /\0|\p{Surrogate}/gu
/** Longer texts are cut: paths and headers come from clients. */
const MAX_TEXT = 2048

const INSERT_AUDIT_EVENTS = {
  name: 'insert_audit_events',
  text: `
    insert into audit_events (
      time, id, level, request_id, user_name, groups, impersonated_user, tenant, source_address,
      user_agent, verb, method, path, route, plane, api_group, resource, subresource, namespace,
      name, resource_id, status, outcome, code, detail, duration_ms, dropped, dry_run, request, response)
    select
      time, id, level, request_id, user_name, groups, impersonated_user, tenant, source_address,
      user_agent, verb, method, path, route, plane, api_group, resource, subresource, namespace,
      name, resource_id, status, outcome, code, detail, duration_ms, dropped, dry_run, request, response
    from json_to_recordset($1::json) as event (
      time timestamptz, id text, level text, request_id text, user_name text, groups jsonb,
      impersonated_user text, tenant text, source_address text, user_agent text, verb text,
      method text, path text, route text, plane text, api_group text, resource text,
      subresource text, namespace text, name text, resource_id text, status integer, outcome text,
      code text, detail text, duration_ms integer, dropped integer, dry_run text, request json, response json)
    on conflict do nothing`,
}

/** Adds events to the audit log. An event that it already contains is skipped. */
export async function insertAuditEvents(
  database: Database,
  events: readonly AuditEvent[],
): Promise<void> {
  await database.execute(INSERT_AUDIT_EVENTS, [JSON.stringify(events.map(rowOf))])
}

function rowOf(event: AuditEvent) {
  return {
    time: event.time.toISOString(),
    id: event.id,
    level: event.level,
    request_id: event.requestId,
    user_name: storable(event.user),
    groups: event.groups.map(storable),
    impersonated_user: storable(event.impersonatedUser),
    tenant: event.tenant,
    source_address: event.sourceAddress,
    user_agent: storable(event.userAgent),
    verb: event.verb,
    method: storable(event.method),
    path: storable(event.path),
    route: event.route,
    plane: storable(event.plane),
    api_group: storable(event.group),
    resource: storable(event.resource),
    subresource: storable(event.subresource),
    namespace: storable(event.namespace),
    name: storable(event.name),
    resource_id: storable(event.resourceId),
    status: event.status,
    outcome: event.outcome,
    code: event.code,
    detail: storable(event.detail),
    duration_ms: event.durationMs,
    dropped: event.dropped,
    dry_run: event.dryRun ? 'All' : '',
    request: storableJson(event.request),
    response: storableJson(event.response),
  }
}

function storable(text: string): string {
  return text.slice(0, MAX_TEXT).replaceAll(UNSTORABLE, '\u{FFFD}')
}

function storableJson(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.replaceAll(UNSTORABLE, '\u{FFFD}')
  if (Array.isArray(value)) return value.map(storableJson)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [storable(key), storableJson(item)]),
  )
}
