import { randomUUID } from 'node:crypto'
import type { ConformanceCheck } from './conformance-check.ts'
import { expectCode, expectEqual, expectThat } from './expectations.ts'
import type { ConformanceRig } from './open-rig.ts'
import type { TestSandbox } from './test-sandbox.ts'

const needs = ['proposal'] as const

/** Suspends the sandbox: returns the UID of the snapshot. */
export async function suspend(rig: ConformanceRig, sandbox: TestSandbox): Promise<string> {
  await sandbox.beforeCheckpoint()
  const answer = await rig.connection.driver.checkpoint(rig.checkpointRequest(sandbox))
  await sandbox.end()
  return answer.snapshotUid
}

/** Restores a snapshot and starts the sandbox. */
export async function resume(
  rig: ConformanceRig,
  sandbox: TestSandbox,
  snapshotUid: string,
): Promise<void> {
  const request = rig.restoreRequest(sandbox, snapshotUid)
  const { restoreMetadata } = await rig.connection.driver.restore(request)
  await sandbox.start(restoreMetadata)
}

/** Starts a sandbox that has one file. */
export async function startWithFile(rig: ConformanceRig, content: string): Promise<TestSandbox> {
  const sandbox = await rig.openSandbox()
  await sandbox.start()
  await sandbox.write('state.txt', content)
  return sandbox
}

function deleteSnapshot(rig: ConformanceRig, sandbox: TestSandbox, snapshotUid: string) {
  const { driver, parameters } = rig
  const operationId = `delete-${snapshotUid}`
  const request = { snapshotUid, operationId, sandbox: sandbox.key, driver }
  const all = { ...parameters, ...sandbox.parameters }
  return rig.connection.driver.delete({ ...request, parameters: all })
}

/** The rules for the three calls of KEP-0694, which every driver follows. */
export const PROPOSAL_CHECKS: readonly ConformanceCheck[] = [
  {
    name: 'Checkpoint returns the UID and the size of a snapshot',
    needs,
    run: async (rig) => {
      await using sandbox = await startWithFile(rig, 'one')
      await sandbox.beforeCheckpoint()
      const answer = await rig.connection.driver.checkpoint(rig.checkpointRequest(sandbox))
      expectThat(answer.snapshotUid !== '', 'snapshot_uid is set')
      expectThat(answer.sizeBytes > 0n, 'size_bytes is positive')
    },
  },
  {
    name: 'Restore returns the files of the checkpoint',
    needs,
    run: async (rig) => {
      await using sandbox = await startWithFile(rig, 'one')
      await resume(rig, sandbox, await suspend(rig, sandbox))
      expectEqual(await sandbox.read('state.txt'), 'one', 'the restored file')
    },
  },
  {
    name: 'five cycles keep every change',
    needs,
    run: async (rig) => {
      await using sandbox = await startWithFile(rig, '')
      for (let cycle = 1; cycle <= 5; cycle += 1) {
        await sandbox.write('state.txt', `${await sandbox.read('state.txt')}${cycle}`)
        await resume(rig, sandbox, await suspend(rig, sandbox))
      }
      expectEqual(await sandbox.read('state.txt'), '12345', 'the file after five cycles')
    },
  },
  {
    name: 'Restore removes files that the checkpoint did not have',
    needs,
    run: async (rig) => {
      await using sandbox = await startWithFile(rig, 'one')
      const snapshot = await suspend(rig, sandbox)
      await sandbox.start()
      await sandbox.write('later.txt', 'two')
      await sandbox.end()
      await resume(rig, sandbox, snapshot)
      expectEqual(await sandbox.read('later.txt'), null, 'the later file')
    },
  },
  {
    name: 'snapshots of two sandboxes are separate',
    needs,
    run: async (rig) => {
      await using one = await startWithFile(rig, 'one')
      await using two = await startWithFile(rig, 'two')
      const snapshots = [await suspend(rig, one), await suspend(rig, two)] as const
      expectThat(snapshots[0] !== snapshots[1], 'the snapshots have different UIDs')
      await resume(rig, one, snapshots[0])
      await resume(rig, two, snapshots[1])
      expectEqual(await one.read('state.txt'), 'one', 'the file of the first sandbox')
      expectEqual(await two.read('state.txt'), 'two', 'the file of the second sandbox')
    },
  },
  {
    name: 'a snapshot can be restored twice',
    needs,
    run: async (rig) => {
      await using sandbox = await startWithFile(rig, 'one')
      const snapshot = await suspend(rig, sandbox)
      await resume(rig, sandbox, snapshot)
      await sandbox.write('state.txt', 'changed')
      await sandbox.end()
      await resume(rig, sandbox, snapshot)
      expectEqual(await sandbox.read('state.txt'), 'one', 'the file restored again')
    },
  },
  {
    name: 'Restore of an unknown snapshot fails with NOT_FOUND',
    needs,
    run: async (rig) => {
      await using sandbox = await rig.openSandbox()
      const request = rig.restoreRequest(sandbox, randomUUID())
      await expectCode(rig.connection.driver.restore(request), 'NOT_FOUND')
    },
  },
  {
    name: 'Delete removes a snapshot and succeeds again afterwards',
    needs,
    run: async (rig) => {
      await using sandbox = await startWithFile(rig, 'one')
      const snapshot = await suspend(rig, sandbox)
      await deleteSnapshot(rig, sandbox, snapshot)
      await deleteSnapshot(rig, sandbox, snapshot)
      const restore = rig.connection.driver.restore(rig.restoreRequest(sandbox, snapshot))
      await expectCode(restore, 'NOT_FOUND')
    },
  },
  {
    name: 'names that leave the store are rejected',
    needs,
    run: async (rig) => {
      await using sandbox = await rig.openSandbox()
      const request = rig.restoreRequest(sandbox, '../../../../etc')
      await expectCode(rig.connection.driver.restore(request), 'INVALID_ARGUMENT', 'NOT_FOUND')
    },
  },
]
