import { pause } from 'flotilla'
import { isAlive } from '../machine/process-identity.ts'
import { limitLog } from '../logs/limit-log.ts'
import { instancePaths, sandboxPaths } from '../sandbox-layout.ts'
import { type HostState, isLive } from './host-state.ts'
import { recordExit } from './record-exit.ts'

const INTERVAL_MS = 500

/** Notices the end of instances of an earlier runtime, and limits logs, until the runtime closes. */
export async function observeInstances(state: HostState): Promise<void> {
  while (!state.closing.aborted) {
    for (const { sandbox, current } of state.records.values()) {
      if (!isLive(current)) continue
      const { uid } = sandbox
      await limitLog(instancePaths(sandboxPaths(state.layout, uid), current.id)).catch((error) => {
        state.log.warn({ err: error, sandbox: uid }, 'limiting the log failed')
      })
      if (current.phase === 'Running' && !(await isAlive(current.init))) {
        await recordExit(state, uid, current.id)
      }
    }
    await pause(INTERVAL_MS, state.closing)
  }
}
