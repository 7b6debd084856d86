import { randomUUID } from 'node:crypto'
import type { ConformanceCheck } from './conformance-check.ts'
import { expectCode, expectEqual, expectThat } from './expectations.ts'
import type { ConformanceRig } from './open-rig.ts'
import { startWithFile } from './proposal-checks.ts'
import type { TestSandbox } from './test-sandbox.ts'

const needs = ['runtime'] as const
const freezing = ['runtime', 'freezing'] as const

function target({ key, instanceId }: TestSandbox) {
  return { sandbox: key, instanceId, fence: 1n, operationId: randomUUID() }
}

async function stateOf(rig: ConformanceRig, sandbox: TestSandbox): Promise<string | undefined> {
  return (await rig.connection.runtime.getInstance(target(sandbox))).instance?.state
}

/** The rules for runtimes, and for drivers that capture their instances. */
export const RUNTIME_CHECKS: readonly ConformanceCheck[] = [
  {
    name: 'a repeated Start returns the running instance',
    needs,
    run: async (rig) => {
      await using sandbox = await rig.openSandbox()
      await sandbox.start()
      const operationId = `${sandbox.instanceId}-start`
      const workload = { command: ['sh', '-c', 'while true; do sleep 1; done'] }
      const request = { ...target(sandbox), operationId, workload }
      const { instance } = await rig.connection.runtime.start(request)
      const { instance: known } = await rig.connection.runtime.getInstance(target(sandbox))
      expectEqual(instance?.pid, known?.pid, 'the pid')
    },
  },
  {
    name: 'a sandbox runs at most one instance',
    needs,
    run: async (rig) => {
      await using sandbox = await rig.openSandbox()
      await sandbox.start()
      const workload = { command: ['sleep', '3600'] }
      const second = { ...target(sandbox), instanceId: randomUUID(), workload }
      await expectCode(
        rig.connection.runtime.start(second),
        'FAILED_PRECONDITION',
        'ALREADY_EXISTS',
        'ABORTED',
      )
    },
  },
  {
    name: 'Terminate ends an instance, also repeatedly, and accepts unknown ones',
    needs,
    run: async (rig) => {
      await using sandbox = await rig.openSandbox()
      await sandbox.start()
      for (const attempt of [1, 2]) {
        const { instance } = await rig.connection.runtime.terminate(target(sandbox))
        const ended = instance?.state === 'Exited' || instance?.state === 'Removed'
        expectThat(ended, `the instance has ended after Terminate ${attempt}`)
      }
      const unknown = { ...target(sandbox), instanceId: randomUUID() }
      const { instance } = await rig.connection.runtime.terminate(unknown)
      expectEqual(instance?.state, 'Removed', 'the state of an unknown instance')
    },
  },
  {
    name: 'GetInstance of an unknown instance fails with NOT_FOUND',
    needs,
    run: async (rig) => {
      await using sandbox = await rig.openSandbox()
      const unknown = { ...target(sandbox), instanceId: randomUUID() }
      await expectCode(rig.connection.runtime.getInstance(unknown), 'NOT_FOUND')
    },
  },
  {
    name: 'Watch sends existing instances, then changes',
    needs,
    run: async (rig) => {
      await using sandbox = await rig.openSandbox()
      await sandbox.start()
      const states: string[] = []
      for await (const one of rig.connection.runtime.watch({}, { timeoutMs: 30_000 })) {
        if (one.instanceId !== sandbox.instanceId) continue
        states.push(one.state)
        if (one.state !== 'Running') break
        if (states.length === 1) void sandbox.end()
      }
      expectEqual(states[0], 'Running', 'the first state')
    },
  },
  {
    name: 'a lower fence fails with FAILED_PRECONDITION in the runtime',
    needs,
    run: async (rig) => {
      await using sandbox = await rig.openSandbox()
      await sandbox.start()
      await rig.connection.runtime.terminate({ ...target(sandbox), fence: 5n })
      const stale = { ...target(sandbox), instanceId: randomUUID(), fence: 4n }
      const workload = { command: ['sleep', '3600'] }
      const call = rig.connection.runtime.start({ ...stale, workload })
      expectEqual((await expectCode(call, 'FAILED_PRECONDITION')).reason, 'StaleFence', 'reason')
    },
  },
  {
    name: 'Freeze and Thaw are idempotent',
    needs: freezing,
    run: async (rig) => {
      await using sandbox = await rig.openSandbox()
      await sandbox.start()
      for (const call of ['freeze', 'freeze', 'thaw', 'thaw', 'freeze', 'thaw'] as const) {
        const { instance } = await rig.connection.runtime[call](target(sandbox))
        expectEqual(instance?.state, call === 'freeze' ? 'Frozen' : 'Running', `after ${call}`)
      }
    },
  },
  {
    name: 'a checkpoint leaves the workload frozen',
    needs: freezing,
    run: async (rig) => {
      await using sandbox = await startWithFile(rig, 'one')
      await sandbox.beforeCheckpoint()
      await rig.connection.driver.checkpoint(rig.checkpointRequest(sandbox))
      expectEqual(await stateOf(rig, sandbox), 'Frozen', 'the state after the checkpoint')
    },
  },
  {
    name: 'a live checkpoint leaves the workload running',
    needs: ['runtime', 'extensions'],
    run: async (rig) => {
      await using sandbox = await startWithFile(rig, 'one')
      const request = rig.checkpointRequest(sandbox, { leaveRunning: true })
      await rig.connection.driver.checkpoint(request)
      expectEqual(await stateOf(rig, sandbox), 'Running', 'the state after the checkpoint')
    },
  },
  {
    name: 'a failed checkpoint leaves the workload running',
    needs: ['runtime', 'extensions'],
    run: async (rig) => {
      await using sandbox = await startWithFile(rig, 'one')
      const request = rig.checkpointRequest(sandbox, { snapshotUid: '../evil' })
      const outcome = await rig.connection.driver.checkpoint(request).catch(() => null)
      // A driver may accept the name if its store has no paths.
      if (outcome === null) expectEqual(await stateOf(rig, sandbox), 'Running', 'the state')
    },
  },
  {
    name: 'a cancelled checkpoint can be repeated',
    needs: ['runtime', 'manifests'],
    run: async (rig) => {
      await using sandbox = await startWithFile(rig, 'x'.repeat(100_000))
      const request = rig.checkpointRequest(sandbox)
      const abort = new AbortController()
      const call = rig.connection.driver.checkpoint(request, { signal: abort.signal })
      setTimeout(() => abort.abort(), 5)
      await call.catch(() => undefined)
      // The repetition waits until the cancelled call has ended, and completes the checkpoint.
      await repeatWhileRunning(() => rig.connection.driver.checkpoint(request))
      const { driver } = rig
      const snapshot = { snapshotUid: request.snapshotUid ?? '', driver, sandbox: sandbox.key }
      const { parameters } = rig
      const found = await rig.connection.driver.getSnapshot({ ...snapshot, parameters })
      expectEqual(found.snapshot?.complete, true, 'the completeness of the repeated checkpoint')
    },
  },
]

async function repeatWhileRunning(call: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await call()
      return
    } catch (error) {
      await expectCode(Promise.reject(error), 'ABORTED')
      if (attempt === 100) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
