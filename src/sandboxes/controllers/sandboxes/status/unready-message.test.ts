import { expect, test } from 'vitest'
import { workloadProbesOf } from '../../../model/workload-probes.ts'
import { unreadyMessage } from './unready-message.ts'

const probes = workloadProbesOf({ readinessProbe: { exec: { command: ['/bin/true'] } } })
const ready = [{ type: 'Ready', status: 'True' }]
const unready = [{ type: 'Ready', status: 'False' }]

test('the report of the runtime decides', () => {
  const report = { readiness: 'Unready', readinessMessage: 'it fails' }
  expect(unreadyMessage({ instance: report, probes, conditions: ready })).toBe('it fails')
  const good = { readiness: 'Ready', readinessMessage: '' }
  expect(unreadyMessage({ instance: good, probes, conditions: unready })).toBe(null)
  // Without probes, and from runtimes of earlier versions.
  const silent = { readiness: '', readinessMessage: '' }
  expect(unreadyMessage({ instance: silent, probes, conditions: unready })).toBe(null)
})

test('before the first report, a sandbox stays as it was', () => {
  const missing = { instance: null, probes }
  expect(unreadyMessage({ ...missing, conditions: ready })).toBe(null)
  for (const conditions of [unready, [], undefined]) {
    expect(unreadyMessage({ ...missing, conditions })).toBe(
      'its runtime has not reported its probes yet',
    )
  }
  const none = workloadProbesOf({})
  expect(unreadyMessage({ instance: null, probes: none, conditions: unready })).toBe(null)
})
