import type { Dataset } from '../data/dataset.ts'
import type { Target } from '../generator/messages.ts'

export type ContenderName = 'flotilla' | 'against'

/** A server that runs and holds a dataset. */
export interface Contender extends AsyncDisposable {
  readonly name: ContenderName
  readonly target: Target
  /** Its own database; null where somebody else started it. */
  readonly databaseUrl: string | null
}

/** Runs a statement in a server's database. */
export type Query = (statement: string) => Promise<readonly Record<string, unknown>[]>

export interface Arrangement {
  readonly dataset: Dataset
  /** Statements for its database before the server starts; `:database` is its name. */
  readonly prepare?: readonly string[]
  /** Whether the dataset is made for this use alone and not kept to be copied again. */
  readonly once?: boolean
  /** Looks at its database when the server has ended and before the database is gone. */
  readonly finish?: (name: ContenderName, query: Query) => Promise<void>
}

/** Starts a server on a dataset as often as it is asked to. */
export interface ContenderSource {
  readonly name: ContenderName
  /** Whether its database and its start are ours, so that settings can be changed. */
  readonly isOurs: boolean
  start(arrangement: Arrangement): Promise<Contender>
}
