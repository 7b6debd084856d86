import type { StoredAvailable } from '../model/report.ts'

/** A required adapter and its last Available of True or False; null until it has reported one. */
export interface Requirement {
  readonly adapter: string
  readonly available: StoredAvailable | null
}
