import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { pythonEnvironment } from '../../drivers/support/python-environment.ts'
import { startPythonDriver } from '../../drivers/support/start-python-driver.ts'
import { startTestServer } from '../../support/test-server.ts'
import { sandboxApi } from '../kinds/sandbox-api.ts'
import { poll } from '../support/poll.ts'
import { waitForConditions } from '../support/sandbox-conditions.ts'

const PROVIDER = {
  apiVersion: 'agents.x-k8s.io/v1beta1',
  kind: 'SnapshotProvider',
  metadata: { name: 'copies' },
  spec: { providerType: 'copy', local: { path: '/kept-by-the-driver' } },
}

/** Counts its starts, and records the variable that the driver returns from Restore. */
const WORKLOAD = `
  cd "$SANDBOX_WORKSPACE"
  echo $(($(cat count 2>/dev/null || echo 0) + 1)) > count
  echo "$RESTORED_BY" > restored-by
  exec sleep 1000`

test('A program in any language with the three KEP calls works as a driver (a Python one in the tests).', async ({
  skip,
}) => {
  const environment = await pythonEnvironment()
  if ('unavailable' in environment) return skip(environment.unavailable)
  const directory = await realpath(await mkdtemp(path.join(os.tmpdir(), 'any-language-')))
  try {
    await using driver = await startPythonDriver(environment.python, directory)
    const drivers = [{ name: 'copy', endpoint: driver.endpoint }]
    await using server = await startTestServer({
      env: {
        ROLE: 'all',
        SANDBOX_RUNTIME: 'local',
        SANDBOXD: `dir=${directory}/sandboxd,drivers=${JSON.stringify(drivers)}`,
      },
    })
    const api = sandboxApi(server.origin)
    const waitFor = (...conditions: readonly string[]) =>
      waitForConditions(() => api.getSandbox('copied'), ...conditions)
    const setMode = (operatingMode: string) =>
      api.patchSandbox('copied', { spec: { operatingMode } })
    expect((await api.create(PROVIDER)).status).toBe(201)
    const hibernate = { snapshotProviderRef: { name: 'copies' } }
    const { body } = await api.createSandbox('copied', {
      podTemplate: {
        spec: { containers: [{ name: 'main', command: ['/bin/sh', '-c', WORKLOAD] }] },
      },
      suspensionStrategy: { type: 'Hibernate', hibernate },
    })
    const workspace = path.join(directory, 'sandboxd/sandboxes', body.metadata.uid, 'workspace')
    const read = (file: string) => readFile(path.join(workspace, file), 'utf8').catch(() => '')
    const fileIs = (file: string, content: string) =>
      poll(
        file,
        () => read(file),
        (text) => text === `${content}\n`,
      )
    await waitFor('Ready=True')
    await fileIs('count', '1')

    for (const cycle of [1, 2]) {
      await setMode('Suspended')
      await waitFor('Suspended=True/PodTerminated', 'SnapshotReady=True/Created')
      expect(await readdir(driver.store)).not.toEqual([])
      expect(await read('count')).toBe('')

      await setMode('Running')
      const { body: resumed } = await waitFor('Ready=True', 'Restored=True/Restored')
      expect(resumed.status.boot).toBe('RESUME_FS')
      await fileIs('count', `${cycle + 1}`)
      await fileIs('restored-by', 'copy-driver')
    }

    // Deleting the sandbox deletes its snapshots through the driver.
    await api.call('DELETE', '/apis/agents.x-k8s.io/v1beta1/namespaces/default/sandboxes/copied')
    await poll(
      'the snapshots of the driver',
      () => readdir(driver.store),
      (snapshots) => snapshots.length === 0,
    )
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}, 300_000)
