import { clusterName, ENVIRONMENTS, REGIONS } from './cluster.ts'
import { type Dataset, teamsOf } from './dataset.ts'

/** The operators and fields of a search. */
export type SearchForm =
  | 'label'
  | 'label-in'
  | 'and-or'
  | 'condition'
  | 'condition-label'
  | 'name'
  | 'negation'

export type Breadth = 'selective' | 'broad'

interface SearchContext {
  readonly dataset: Pick<Dataset, 'rows'>
  readonly random: () => number
}

type Search = (context: SearchContext) => string

/** Selective searches match about twenty clusters in a fleet of any size, broad ones a tenth or more. */
export const SEARCHES: Readonly<Record<SearchForm, Readonly<Record<Breadth, Search>>>> = {
  label: {
    selective: (context) => `labels.team='${anyTeam(context)}'`,
    broad: (context) => `labels.environment='${anyOf(context, ENVIRONMENTS)}'`,
  },
  'label-in': {
    selective: (context) => `labels.team in ('${anyTeam(context)}','${anyTeam(context)}','none')`,
    broad: (context) => `labels.region in ('${anyOf(context, REGIONS)}','us-east-1')`,
  },
  'and-or': {
    selective: (context) =>
      `(labels.team='${anyTeam(context)}' or labels.team='${anyTeam(context)}') and labels.tier='bronze'`,
    broad: (context) =>
      `labels.environment='${anyOf(context, ENVIRONMENTS)}' or labels.region='${anyOf(context, REGIONS)}'`,
  },
  condition: {
    selective: () => `status.conditions.PullsecretSuccessful='False'`,
    broad: () => `status.conditions.Ready='True'`,
  },
  'condition-label': {
    selective: (context) => `labels.team='${anyTeam(context)}' and status.conditions.Ready='True'`,
    broad: (context) =>
      `labels.environment='${anyOf(context, ENVIRONMENTS)}' and status.conditions.Ready='True'`,
  },
  name: {
    selective: (context) => `name='${anyName(context)}'`,
    broad: () => `name like 'cluster-1%'`,
  },
  negation: {
    selective: () => `not status.conditions.PullsecretSuccessful='True'`,
    broad: (context) => `labels.environment!='${anyOf(context, ENVIRONMENTS)}'`,
  },
}

export const SEARCH_FORMS = Object.keys(SEARCHES) as readonly SearchForm[]

function anyTeam({ dataset, random }: SearchContext): string {
  return `team-${Math.floor(random() * teamsOf(dataset))}`
}

function anyName({ dataset, random }: SearchContext): string {
  return clusterName(1 + Math.floor(random() * dataset.rows))
}

function anyOf({ random }: SearchContext, values: readonly string[]): string {
  return values[Math.floor(random() * values.length)] ?? ''
}
