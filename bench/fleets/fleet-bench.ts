import type pg from 'pg'
import type { Target } from '../generator/messages.ts'
import type { FleetApi } from './fleet-api.ts'
import type { FleetWatch } from './fleet-watch.ts'

/** The server of the scenario `fleets`, and its figures. */
export interface FleetBench {
  readonly target: Target
  readonly isQuick: boolean
  readonly api: FleetApi
  readonly watch: FleetWatch
  /** A connection to the server's database. */
  readonly database: pg.Client
  fact(name: string, value: number, unit: string): void
}
