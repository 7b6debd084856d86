import { clusterName, ENVIRONMENTS, REGIONS } from './cluster.ts'
import { type Dataset, teamsOf } from './dataset.ts'

/** What a search is made of. */
export type SearchForm =
  | 'label'
  | 'label-in'
  | 'and-or'
  | 'condition'
  | 'condition-label'
  | 'name'
  | 'negation'

export type Breadth = 'selective' | 'broad'

interface Chance {
  readonly dataset: Pick<Dataset, 'rows'>
  readonly random: () => number
}

type Search = (chance: Chance) => string

/** Selective ones match some twenty clusters of any number, broad ones a tenth or more. */
export const SEARCHES: Readonly<Record<SearchForm, Readonly<Record<Breadth, Search>>>> = {
  label: {
    selective: (chance) => `labels.team='${anyTeam(chance)}'`,
    broad: (chance) => `labels.environment='${anyOf(chance, ENVIRONMENTS)}'`,
  },
  'label-in': {
    selective: (chance) => `labels.team in ('${anyTeam(chance)}','${anyTeam(chance)}','none')`,
    broad: (chance) => `labels.region in ('${anyOf(chance, REGIONS)}','us-east-1')`,
  },
  'and-or': {
    selective: (chance) =>
      `(labels.team='${anyTeam(chance)}' or labels.team='${anyTeam(chance)}') and labels.tier='bronze'`,
    broad: (chance) =>
      `labels.environment='${anyOf(chance, ENVIRONMENTS)}' or labels.region='${anyOf(chance, REGIONS)}'`,
  },
  condition: {
    selective: () => `status.conditions.PullsecretSuccessful='False'`,
    broad: () => `status.conditions.Ready='True'`,
  },
  'condition-label': {
    selective: (chance) => `labels.team='${anyTeam(chance)}' and status.conditions.Ready='True'`,
    broad: (chance) =>
      `labels.environment='${anyOf(chance, ENVIRONMENTS)}' and status.conditions.Ready='True'`,
  },
  name: {
    selective: (chance) => `name='${anyName(chance)}'`,
    broad: () => `name like 'cluster-1%'`,
  },
  negation: {
    selective: () => `not status.conditions.PullsecretSuccessful='True'`,
    broad: (chance) => `labels.environment!='${anyOf(chance, ENVIRONMENTS)}'`,
  },
}

export const SEARCH_FORMS = Object.keys(SEARCHES) as readonly SearchForm[]

function anyTeam({ dataset, random }: Chance): string {
  return `team-${Math.floor(random() * teamsOf(dataset))}`
}

function anyName({ dataset, random }: Chance): string {
  return clusterName(1 + Math.floor(random() * dataset.rows))
}

function anyOf({ random }: Chance, values: readonly string[]): string {
  return values[Math.floor(random() * values.length)] ?? ''
}
