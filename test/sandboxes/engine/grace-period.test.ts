import { expect, test } from 'vitest'
import { poll } from '../support/poll.ts'
import { startSandboxServer } from '../support/start-sandbox-server.ts'

test('a workload with a grace period above the timeout of its operations can be deleted', async () => {
  await using fixture = await startSandboxServer()
  const { api, waitFor } = fixture
  const command = ['/bin/sh', '-c', "trap '' TERM; while :; do sleep 0.1; done"]
  await api.createSandbox('stubborn', {
    podTemplate: {
      spec: { terminationGracePeriodSeconds: 3, containers: [{ name: 'main', command }] },
    },
    suspensionStrategy: { type: 'Stop', timeoutSeconds: 1 },
  })
  await waitFor('stubborn', 'Ready=True')
  const path = '/apis/agents.x-k8s.io/v1beta1/namespaces/default/sandboxes/stubborn'
  expect((await api.call('DELETE', path)).status).toBe(200)
  await poll(
    'the deleted sandbox',
    async () => (await api.getSandbox('stubborn')).status,
    (status) => status === 404,
  )
})
