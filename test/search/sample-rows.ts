import type { StatusRecord } from '../../src/store/model/status-record.ts'
import { NO_OWNER, type Resource } from '../../src/store/model/resource.ts'
import { NO_TENANT } from '../../src/access/tenant.ts'
import { initialConditions } from '../../src/hyperfleet/statuses/conditions/synthesis/initial-conditions.ts'

const START = Date.UTC(2026, 0, 1)

/** A resource without reports, created `index` seconds after the first one. */
export function sampleResource(index: number, more: Partial<Resource> = {}): Resource {
  const now = new Date(START + index * 1000)
  return {
    id: `resource-${String(index).padStart(6, '0')}`,
    tenant: NO_TENANT,
    kind: 'Cluster',
    name: `name-${index}`,
    ownerId: NO_OWNER,
    generation: 1,
    version: 1n,
    spec: {
      index,
      region: 'eu-west-1',
      text: 'naïve "quoted" \u{1f600}',
      nested: { list: [1, 2.5, null] },
    },
    labels: { environment: index % 2 === 0 ? 'dev' : 'prod', index: String(index) },
    annotations: index % 2 === 0 ? { note: 'even' } : {},
    refs: {},
    conditions: initialConditions(now),
    requiredAdapters: null,
    createdTime: now,
    updatedTime: now,
    createdBy: 'ada@example.com',
    updatedBy: 'ada@example.com',
    deletedTime: null,
    deletedBy: null,
    ...more,
  }
}

/** An adapter's report on generation 1, `second` seconds after the first resource. */
export function sampleStatus(
  adapter: string,
  second: number,
  more: Partial<StatusRecord> = {},
): StatusRecord {
  const time = new Date(START + second * 1000)
  const verdict = { status: 'True', last_transition_time: time.toISOString() } as const
  return {
    adapter,
    observedGeneration: 1,
    available: { ...verdict, observed_generation: 1 },
    conditions: [{ type: 'Available', ...verdict }],
    data: { second },
    metadata: { job_name: `job-${second}` },
    finalized: false,
    observedTime: time,
    createdTime: time,
    lastReportTime: time,
    ...more,
  }
}
