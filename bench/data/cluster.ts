import type { JsonObject } from '../../src/lib/json/json.ts'
import type { ClusterState } from './cluster-state.ts'
import { type Dataset, teamsOf } from './dataset.ts'
import { seededRandom } from './seeded-random.ts'
import { specOf, specSize } from './spec.ts'

/** A cluster of a dataset; `number` counts from 1. */
export interface SeededCluster {
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
const SPREAD = 7919
const SEEDS_APART = 1_000_003

export function clusterOf(dataset: Dataset, number: number): SeededCluster {
  const random = seededRandom(dataset.seed * SEEDS_APART + number)
  return {
    id: clusterId(number),
    name: clusterName(number),
    labels: labelsOf(dataset, number),
    spec: specOf(random, specSize(random, dataset.specBytes)),
    createdTime: new Date(START + number * 1000).toISOString(),
    state: stateOf(dataset, number),
  }
}

/** Ids sort by number, as real ones sort by the time of creation. */
export function clusterId(number: number): string {
  return `2${String(number).padStart(26, '0')}`
}

export function clusterName(number: number): string {
  return `cluster-${number}`
}

/** The clusters of a team are spread over the whole table. */
export function teamOf(dataset: Pick<Dataset, 'rows'>, number: number): string {
  return `team-${(number * SPREAD) % teamsOf(dataset)}`
}

/** Six labels, of which environment and region match many clusters and team matches few. */
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

/** Three in a hundred are degraded; about SELECTIVE_MATCHES in all, of many teams, have no pull secret. */
export function stateOf(dataset: Pick<Dataset, 'rows'>, number: number): ClusterState {
  const teams = teamsOf(dataset)
  if (number % teams === Math.floor(number / teams)) return 'no-pull-secret'
  return number % 33 === 0 ? 'degraded' : 'healthy'
}
