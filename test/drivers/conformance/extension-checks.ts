import { randomUUID } from 'node:crypto'
import type { ConformanceCheck } from './conformance-check.ts'
import { expectCode, expectEqual, expectThat } from './expectations.ts'
import type { ConformanceRig } from './open-rig.ts'
import { resume, startWithFile, suspend } from './proposal-checks.ts'
import type { TestSandbox } from './test-sandbox.ts'

const needs = ['extensions'] as const
const manifests = ['extensions', 'manifests'] as const

function reader(rig: ConformanceRig, sandbox: TestSandbox, snapshotUid: string) {
  const parameters = { ...rig.parameters, ...sandbox.parameters }
  return { snapshotUid, driver: rig.driver, sandbox: sandbox.key, parameters }
}

/** The rules for operation IDs, fences, verification and validation. */
export const EXTENSION_CHECKS: readonly ConformanceCheck[] = [
  {
    name: 'Checkpoint uses the UID of the request',
    needs: manifests,
    run: async (rig) => {
      await using sandbox = await startWithFile(rig, 'one')
      const request = rig.checkpointRequest(sandbox)
      const { snapshotUid } = await rig.connection.driver.checkpoint(request)
      expectEqual(snapshotUid, request.snapshotUid, 'snapshot_uid')
    },
  },
  {
    name: 'a repeated Checkpoint returns the stored result',
    needs,
    run: async (rig) => {
      await using sandbox = await startWithFile(rig, 'one')
      const request = rig.checkpointRequest(sandbox)
      const first = await rig.connection.driver.checkpoint(request)
      await sandbox.end()
      // The instance has ended, so that only a stored result can answer.
      expectEqual(await rig.connection.driver.checkpoint(request), first, 'the repeated answer')
    },
  },
  {
    name: 'a repetition with a higher fence and other secrets returns the stored result',
    needs,
    run: async (rig) => {
      await using sandbox = await startWithFile(rig, 'one')
      const request = rig.checkpointRequest(sandbox)
      const first = await rig.connection.driver.checkpoint(request)
      const changed = { ...request, fence: 2n, secrets: { unused: 'rotated' } }
      expectEqual(await rig.connection.driver.checkpoint(changed), first, 'the repeated answer')
    },
  },
  {
    name: 'an operation ID with other arguments fails with ALREADY_EXISTS',
    needs,
    run: async (rig) => {
      await using sandbox = await startWithFile(rig, 'one')
      const request = rig.checkpointRequest(sandbox)
      await rig.connection.driver.checkpoint(request)
      const other = { ...request, snapshotUid: randomUUID() }
      await expectCode(rig.connection.driver.checkpoint(other), 'ALREADY_EXISTS')
    },
  },
  {
    name: 'simultaneous repetitions perform one checkpoint',
    needs,
    run: async (rig) => {
      await using sandbox = await startWithFile(rig, 'one')
      const request = rig.checkpointRequest(sandbox)
      const calls = [1, 2, 3].map(() => rig.connection.driver.checkpoint(request))
      const outcomes = await Promise.allSettled(calls)
      expectThat(
        outcomes.some(({ status }) => status === 'fulfilled'),
        'one call succeeds',
      )
      for (const [index, { status }] of outcomes.entries()) {
        if (status === 'rejected') await expectCode(calls[index] ?? Promise.resolve(), 'ABORTED')
      }
    },
  },
  {
    name: 'a repeated Restore returns the stored result',
    needs,
    run: async (rig) => {
      await using sandbox = await startWithFile(rig, 'one')
      const request = rig.restoreRequest(sandbox, await suspend(rig, sandbox))
      const first = await rig.connection.driver.restore(request)
      await sandbox.start(first.restoreMetadata)
      await sandbox.write('state.txt', 'later')
      expectEqual(await rig.connection.driver.restore(request), first, 'the repeated answer')
      expectEqual(await sandbox.read('state.txt'), 'later', 'the file of the running workload')
    },
  },
  {
    name: 'a lower fence fails with FAILED_PRECONDITION',
    needs,
    run: async (rig) => {
      await using sandbox = await startWithFile(rig, 'one')
      const owner = rig.checkpointRequest(sandbox, { fence: 7n, leaveRunning: true })
      await rig.connection.driver.checkpoint(owner)
      const stale = rig.connection.driver.checkpoint(rig.checkpointRequest(sandbox, { fence: 6n }))
      const error = await expectCode(stale, 'FAILED_PRECONDITION')
      expectEqual(error.reason, 'StaleFence', 'the trailer flotilla-reason')
    },
  },
  {
    name: 'GetSnapshot verifies a snapshot and returns its manifest',
    needs: manifests,
    run: async (rig) => {
      await using sandbox = await startWithFile(rig, 'one')
      const answer = await rig.connection.driver.checkpoint(rig.checkpointRequest(sandbox))
      const request = reader(rig, sandbox, answer.snapshotUid)
      const { snapshot } = await rig.connection.driver.getSnapshot(request)
      const { digest, sizeBytes, complete, sandbox: owner } = snapshot ?? {}
      expectEqual(digest, answer.digest, 'the digest')
      expectEqual(sizeBytes, answer.sizeBytes, 'the size')
      expectEqual([complete, owner?.uid], [true, sandbox.key.uid], 'completeness and owner')
    },
  },
  {
    name: 'GetSnapshot of an unknown snapshot fails with NOT_FOUND',
    needs: manifests,
    run: async (rig) => {
      await using sandbox = await rig.openSandbox()
      const request = reader(rig, sandbox, randomUUID())
      await expectCode(rig.connection.driver.getSnapshot(request), 'NOT_FOUND')
    },
  },
  {
    name: 'Restore with another digest fails with DATA_LOSS',
    needs: manifests,
    run: async (rig) => {
      await using sandbox = await startWithFile(rig, 'one')
      const snapshot = await suspend(rig, sandbox)
      const digest = `sha256:${'0'.repeat(64)}`
      const request = rig.restoreRequest(sandbox, snapshot, { digest })
      await expectCode(rig.connection.driver.restore(request), 'DATA_LOSS')
    },
  },
  {
    name: 'a snapshot can be restored to another sandbox',
    needs,
    run: async (rig) => {
      await using source = await startWithFile(rig, 'one')
      const snapshot = await suspend(rig, source)
      await using fork = await rig.openSandbox()
      const request = rig.restoreRequest(fork, snapshot, { source: source.key })
      const { restoreMetadata } = await rig.connection.driver.restore(request)
      await fork.start(restoreMetadata)
      expectEqual(await fork.read('state.txt'), 'one', 'the file of the fork')
      await resume(rig, source, snapshot)
      expectEqual(await source.read('state.txt'), 'one', 'the file of the source')
    },
  },
  {
    name: 'Validate accepts the parameters and reports an unknown store',
    needs: manifests,
    run: async (rig) => {
      const { driver, parameters } = rig
      const valid = await rig.connection.driver.validate({ driver, parameters })
      expectEqual(valid.problems, [], 'the problems of valid parameters')
      const unknown = { ...parameters, store: 'punched-cards' }
      const invalid = await rig.connection.driver.validate({ driver, parameters: unknown })
      expectThat(invalid.problems.length > 0, 'an unknown store is a problem')
    },
  },
  {
    name: 'ListSnapshots contains a snapshot until it is deleted',
    needs: ['extensions', 'listing'],
    run: async (rig) => {
      await using sandbox = await startWithFile(rig, 'one')
      const snapshot = await suspend(rig, sandbox)
      expectThat((await listed(rig)).includes(snapshot), 'the new snapshot is listed')
      await rig.connection.driver.delete(reader(rig, sandbox, snapshot))
      expectThat(!(await listed(rig)).includes(snapshot), 'the deleted snapshot is not listed')
    },
  },
]

async function listed(rig: ConformanceRig): Promise<readonly string[]> {
  const { driver, parameters } = rig
  const found: string[] = []
  const stream = rig.connection.driver.listSnapshots({ driver, parameters }, { timeoutMs: 30_000 })
  for await (const { snapshotUid, complete } of stream) if (complete) found.push(snapshotUid)
  return found
}
