import type { AdapterResult } from './adapter-result.ts'

/** The result of finalizing a resource that the adapter keeps nothing for. */
export function nothingToRemove(): AdapterResult {
  return { available: 'False', reason: 'NothingToRemove', applied: 'True', finalized: true }
}
