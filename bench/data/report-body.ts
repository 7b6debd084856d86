import type { JsonObject } from '../../src/lib/json/json.ts'

export interface ReportInput {
  readonly adapter: string
  readonly status: 'True' | 'False'
  readonly observedTime: string
}

/** The body of a report on generation 1. Two bodies with the same status differ only in the time. */
export function reportBody({ adapter, status, observedTime }: ReportInput) {
  const works = status === 'True'
  return {
    adapter,
    observed_generation: 1,
    observed_time: observedTime,
    conditions: [
      {
        type: 'Available',
        status,
        reason: works ? 'AllChecksPassed' : 'CheckFailed',
        message: works ? `${adapter} found nothing wrong` : `${adapter} found a problem`,
      },
      { type: 'Applied', status: 'True', reason: 'ManifestsApplied', message: '7 of 7 applied' },
      {
        type: 'Health',
        status,
        reason: works ? 'Healthy' : 'Unhealthy',
        message: 'probed',
      },
    ],
    data: dataOf(adapter),
    metadata: { job_name: `${adapter}-job`, job_namespace: 'adapters', attempt: 1, duration: '4s' },
  } as const
}

function dataOf(adapter: string): JsonObject {
  return {
    manifests: { applied: 7, failed: 0, namespace: `ns-${adapter}` },
    checks: ['quota', 'permissions', 'network', 'image'].map((name) => ({ name, passed: true })),
  }
}
