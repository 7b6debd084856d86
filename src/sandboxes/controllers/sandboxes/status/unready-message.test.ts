import { expect, test } from 'vitest'
import type { JsonObject } from '../../../../lib/json/json.ts'
import { workloadOf } from '../../../model/workload.ts'
import { unreadyMessage } from './unready-message.ts'

const sandbox = (container: JsonObject, more: JsonObject = {}) =>
  workloadOf({ podTemplate: { spec: { containers: [{ name: 'main', ...container }], ...more } } })
const workload = sandbox({ readinessProbe: { exec: { command: ['/bin/true'] } } })
const prepared = sandbox({}, { initContainers: [{ name: 'setup', command: ['/bin/true'] }] })
const ready = [{ type: 'Ready', status: 'True' }]
const unready = [{ type: 'Ready', status: 'False' }]

test('the report of the runtime decides', () => {
  const report = { state: 'Running', readiness: 'Unready', readinessMessage: 'it fails' }
  expect(unreadyMessage({ instance: report, workload, conditions: ready })).toBe('it fails')
  const good = { state: 'Running', readiness: 'Ready', readinessMessage: '' }
  expect(unreadyMessage({ instance: good, workload, conditions: unready })).toBe(null)
  // Without probes, and from runtimes of earlier versions.
  const silent = { state: 'Running', readiness: '', readinessMessage: '' }
  expect(unreadyMessage({ instance: silent, workload, conditions: unready })).toBe(null)
})

test.each([
  ['probes', workload],
  ['init containers', prepared],
])('before the first report, a sandbox with %s stays as it was', (_gate, gated) => {
  const missing = { instance: null, workload: gated }
  expect(unreadyMessage({ ...missing, conditions: ready })).toBe(null)
  for (const conditions of [unready, [], undefined]) {
    expect(unreadyMessage({ ...missing, conditions })).toBe(
      'its runtime has not reported its state yet',
    )
  }
})

test('before the first report, a sandbox without both is ready', () => {
  const missing = { instance: null, workload: sandbox({}) }
  expect(unreadyMessage({ ...missing, conditions: unready })).toBe(null)
})

test('a reported end changes nothing until it is recorded', () => {
  const ended = { state: 'Exited', readiness: '', readinessMessage: '' }
  const message = 'its workload has ended'
  expect(unreadyMessage({ instance: ended, workload: prepared, conditions: ready })).toBe(null)
  expect(unreadyMessage({ instance: ended, workload: prepared, conditions: unready })).toBe(message)
})
