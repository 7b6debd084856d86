import type { JsonObject } from '../../src/lib/json/json.ts'

export interface ReportFacts {
  readonly adapter: string
  readonly verdict: 'True' | 'False'
  readonly observedTime: string
}

/** A report on generation 1 as an adapter sends it; two of the same verdict differ in time alone. */
export function reportBody({ adapter, verdict, observedTime }: ReportFacts) {
  const works = verdict === 'True'
  return {
    adapter,
    observed_generation: 1,
    observed_time: observedTime,
    conditions: [
      {
        type: 'Available',
        status: verdict,
        reason: works ? 'AllChecksPassed' : 'CheckFailed',
        message: works ? `${adapter} found nothing wrong` : `${adapter} found a problem`,
      },
      { type: 'Applied', status: 'True', reason: 'ManifestsApplied', message: '7 of 7 applied' },
      {
        type: 'Health',
        status: verdict,
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
