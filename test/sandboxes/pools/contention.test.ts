import { expect, test } from 'vitest'
import type { PlaneClient } from '../../../src/planes/controllers/client/plane-client.ts'
import { provideSandbox } from '../../../src/sandboxes/controllers/sandbox-pools/provide-sandbox.ts'
import { sandboxClaimOf } from '../../../src/sandboxes/controllers/sandbox-pools/sandbox-claim.ts'
import { poll } from '../support/poll.ts'
import { startPoolFixture, TEMPLATE } from './pool-fixture.ts'

const CLAIM = {
  apiVersion: 'extensions.agents.x-k8s.io/v1beta1',
  kind: 'SandboxClaim',
  metadata: { name: 'late', namespace: 'default', uid: 'claim-uid' },
  spec: { warmPoolRef: { name: 'busy' } },
}

test('a claim adopts a warm sandbox that reports its state during the adoption', async () => {
  await using fixture = await startPoolFixture()
  const { create, reportReady, server, waiting } = fixture
  await create('SandboxTemplate', 'plain', TEMPLATE)
  await create('SandboxWarmPool', 'busy', { replicas: 1, sandboxTemplateRef: { name: 'plain' } })
  const [name = ''] = await poll(
    'the pool',
    () => waiting('busy'),
    ({ length }) => length === 1,
  )
  await reportReady(name)
  const client = server.planes.client().plane('root')
  let reports = 0
  const reporting: PlaneClient = {
    ...client,
    update: async (...call) => {
      // The report of the engine arrives between the read and the write of the claim.
      if (reports === 0) await reportReady(name)
      reports += 1
      return client.update(...call)
    },
  }
  await fixture.report(name, [{ type: 'Ready', status: 'True', message: 'first' }])
  const claim = sandboxClaimOf(CLAIM)
  const { sandbox, source } = await provideSandbox(reporting, claim, new Map())
  expect({ source, name: sandbox.metadata.name }).toEqual({ source: 'adopted', name })
  expect(reports).toBe(2)
})
