import { expect, test } from 'vitest'
import {
  Reconciler,
  type ReconcilerParts,
} from '../../../clients/typescript/src/adapter/reconciler.ts'

const RESOURCE = { id: 'a', generation: 2, status: { conditions: [] } }

/** A reconciler with these reports. */
function reconcilerWith(report: ReconcilerParts<typeof RESOURCE>['statuses']['report']) {
  return new Reconciler({
    adapter: 'dns',
    read: () => Promise.resolve(RESOURCE),
    statuses: { report },
    reconcile: () => ({ available: 'True' }),
    finalize: () => ({ available: 'False' }),
    heartbeat: 1000,
    emit: () => undefined,
    signal: new AbortController().signal,
    now: () => new Date(0),
  })
}

test('a change by a report whose response has not arrived is no new work', async () => {
  const during: boolean[] = []
  const reconciler = reconcilerWith(() => {
    during.push(reconciler.hasReported(RESOURCE))
    during.push(reconciler.hasReported({ ...RESOURCE, generation: 3 }))
    return Promise.resolve({ discarded: 'unknown-after-report', status: null })
  })
  expect(await reconciler.run('a')).toBe(1000)
  expect(during).toEqual([true, false])
  expect(reconciler.hasReported(RESOURCE)).toBe(true)
})

test('a change after a report that failed is new work', async () => {
  const reconciler = reconcilerWith(() => Promise.reject(new Error('no response')))
  await reconciler.run('a')
  expect(reconciler.hasReported(RESOURCE)).toBe(false)
})
