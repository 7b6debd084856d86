import { expect, test } from 'vitest'
import { designedWaitMs } from './designed-wait.ts'

const BASE = '/api/hyperfleet/v1'
const SANDBOX = '/apis/agents.x-k8s.io/v1beta1/namespaces/default/sandboxes/a'

test.each([
  ['POST', `${BASE}/adapters/dns/lease`, {}, 60_000],
  ['POST', `${BASE}/clusters`, {}, 0],
  ['GET', `${BASE}/clusters`, { search: 'x' }, 0],
  ['GET', SANDBOX, {}, 0],
  ['GET', SANDBOX, { wait: 'Ready=True' }, 600_000],
  ['POST', `${SANDBOX}/suspend`, {}, 600_000],
  ['PATCH', `/clusters/x/control-plane${SANDBOX}`, {}, 600_000],
])('%s %s %o may wait for %i ms', (method, path, query, wait) => {
  expect(designedWaitMs({ method, path, query })).toBe(wait)
})
