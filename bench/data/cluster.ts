import type { JsonObject } from '../../src/lib/json/json.ts'
import type { ClusterState } from './cluster-state.ts'
import { type Dataset, teamsOf } from './dataset.ts'
import { seededRandom } from './seeded-random.ts'
import { specOf, specSize } from './spec.ts'

/** A cluster of a dataset; `number` counts from 1. */
export interface SeedCluster {
  readonly id: string
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly spec: JsonObject
  readonly createdTime: string
  readonly state: ClusterState
}

export const ENVIRONMENTS = ['dev', 'staging', 'production'] as const
export const REGIONS = ['eu-west-1', 'eu-north-1', 'us-east-1', 'us-west-2', 'ap-south-1'] as const
const TIERS = ['gold', 'silver', 'silver', 'bronze', 'bronze', 'bronze', 'bronze'] as const

const START = Date.UTC(2026, 0, 1)
/** Primes: the first scatters a team over the table, the second separates the seeds of datasets. */
const TEAM_STRIDE = 7919
const SEED_STRIDE = 1_000_003

export function clusterOf(dataset: Dataset, number: number): SeedCluster {
  const random = seededRandom(dataset.seed * SEED_STRIDE + number)
  return {
    id: clusterId(number),
    name: clusterName(number),
    labels: labelsOf(dataset, number),
    spec: specOf(random, specSize(random, dataset.specBytes)),
    createdTime: new Date(START + number * 1000).toISOString(),
    state: clusterState(dataset, number),
  }
}

/** Ids sort by number, just as real ids sort by creation time. */
export function clusterId(number: number): string {
  return `2${String(number).padStart(26, '0')}`
}

export function clusterName(number: number): string {
  return `cluster-${number}`
}

/** The clusters of a team are scattered over the whole table. */
export function teamOf(dataset: Pick<Dataset, 'rows'>, number: number): string {
  return `team-${(number * TEAM_STRIDE) % teamsOf(dataset)}`
}

/** Six labels. An environment or a region matches many clusters, a team only a few. */
export function labelsOf(
  dataset: Pick<Dataset, 'rows'>,
  number: number,
): Readonly<Record<string, string>> {
  return {
    environment: ENVIRONMENTS[number % ENVIRONMENTS.length] ?? '',
    region: REGIONS[number % REGIONS.length] ?? '',
    team: teamOf(dataset, number),
    tier: TIERS[number % TIERS.length] ?? '',
    'app.kubernetes.io/name': `app-${number % 100}`,
    'cost-center': `cc-${number % 1000}`,
  }
}

/** 3 % of the clusters are degraded. About SELECTIVE_MATCHES, of many teams, lack a pull secret. */
export function clusterState(dataset: Pick<Dataset, 'rows'>, number: number): ClusterState {
  const teams = teamsOf(dataset)
  if (number % teams === Math.floor(number / teams)) return 'no-pull-secret'
  return number % 33 === 0 ? 'degraded' : 'healthy'
}
