import type { Dataset } from '../data/dataset.ts'
import type { Target } from '../generator/messages.ts'

export type ServerName = 'flotilla' | 'against'

/** A running server that holds a dataset. */
export interface ServerUnderTest extends AsyncDisposable {
  readonly name: ServerName
  readonly target: Target
  readonly databaseUrl: string
}

/** Runs a statement in the database of a server. */
export type Query = (statement: string) => Promise<readonly Record<string, unknown>[]>

export interface ServerSetup {
  readonly dataset: Dataset
  /** Statements to run before the server starts; `:database` stands for the database name. */
  readonly prepare?: readonly string[]
  /** Settings of the server that the scenario needs; `--env` takes precedence. */
  readonly env?: Readonly<Record<string, string>>
  /** Seed a database for this server alone instead of copying a template. */
  readonly once?: boolean
  /** Called after the server has stopped and before its database is dropped. */
  readonly finish?: (query: Query) => Promise<void>
}

/** Starts servers of one checkout. */
export interface ServerSource {
  readonly name: ServerName
  start(setup: ServerSetup): Promise<ServerUnderTest>
}
