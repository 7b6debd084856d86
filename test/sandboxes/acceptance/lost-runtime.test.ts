import { expect, test } from 'vitest'
import { HIBERNATES, startReferenceFixture } from '../support/start-reference-fixture.ts'

test('A runtime whose lease has ended makes its sandboxes unready, and resumes name it.', async () => {
  await using fixture = await startReferenceFixture({ leaseSeconds: 6 })
  const { api, waitFor } = fixture
  await api.createSandbox('running', HIBERNATES)
  await api.createSandbox('suspended', HIBERNATES)
  await waitFor('running', 'Ready=True')
  await waitFor('suspended', 'Ready=True')
  await api.patchSandbox('suspended', { spec: { operatingMode: 'Suspended' } })
  await waitFor('suspended', 'Suspended=True/PodTerminated')
  await fixture.loseRuntime()

  const lost = await waitFor('running', 'Ready=False/RuntimeUnreachable')
  const named =
    'The runtime "reference" on the machine "reference-machine" has not renewed its lease'
  expect(messageOf(lost)).toContain(named)
  await api.patchSandbox('suspended', { spec: { operatingMode: 'Running' } })
  expect(messageOf(await waitFor('suspended', 'Ready=False/NoRuntime'))).toContain(named)
})

interface Answer {
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read any member of a response
  readonly body: any
}

function messageOf({ body }: Answer): string {
  const conditions: readonly { type: string; message: string }[] = body.status.conditions
  return conditions.find(({ type }) => type === 'Ready')?.message ?? ''
}
