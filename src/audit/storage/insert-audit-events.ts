import type { AuditEvent } from '../audit-event.ts'
import type { Database } from '../../store/database/database.ts'

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
      name, resource_id, status, outcome, code, detail, duration_ms, dropped, dry_run, request::json,
      response::json
    from json_to_recordset($1::json) as event (
      time timestamptz, id text, level text, request_id text, user_name text, groups jsonb,
      impersonated_user text, tenant text, source_address text, user_agent text, verb text,
      method text, path text, route text, plane text, api_group text, resource text,
      subresource text, namespace text, name text, resource_id text, status integer, outcome text,
      code text, detail text, duration_ms integer, dropped integer, dry_run text, request text, response text)
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
    // The column has milliseconds, and PostgreSQL would round.
    time: new Date(event.time.getTime()).toISOString(),
    id: event.id,
    level: event.level,
    request_id: event.requestId,
    user_name: event.user,
    groups: event.groups,
    impersonated_user: event.impersonatedUser,
    tenant: event.tenant,
    source_address: event.sourceAddress,
    user_agent: event.userAgent,
    verb: event.verb,
    method: event.method,
    path: event.path,
    route: event.route,
    plane: event.plane,
    api_group: event.group,
    resource: event.resource,
    subresource: event.subresource,
    namespace: event.namespace,
    name: event.name,
    resource_id: event.resourceId,
    status: event.status,
    outcome: event.outcome,
    code: event.code,
    detail: event.detail,
    duration_ms: event.durationMs,
    dropped: event.dropped,
    dry_run: event.dryRun ? 'All' : '',
    request: event.request,
    response: event.response,
  }
}
