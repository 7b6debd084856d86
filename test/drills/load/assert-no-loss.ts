import assert from 'node:assert/strict'
import type { LoadResult } from './start-load.ts'

/** Requires that every acknowledged write survived and that every watch received every event. */
export function assertNoLoss({ losses, eventProblems, ledger }: LoadResult): void {
  assert.deepEqual(losses, [], 'acknowledged writes are lost')
  assert.deepEqual(eventProblems, [], 'events are missing or wrong')
  assert.deepEqual(ledger.failures, [], 'requests failed')
  assert.ok(ledger.attempts.acknowledged > 0, 'nothing was written')
}
