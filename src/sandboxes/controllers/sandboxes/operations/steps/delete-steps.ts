import { readOrNull } from 'flotilla/controllers'
import { SANDBOXES } from '../../../snapshot-claims/snapshot-resources.ts'
import { FINALIZER } from '../../model/observed-sandbox.ts'
import {
  callId,
  callOptions,
  type OperationRun,
  type Outcome,
  planeClient,
  runtimeClient,
  sandboxKey,
  type Step,
} from '../operation-run.ts'
import { terminate } from '../terminate.ts'

/** Ends the workload of a deleted sandbox, removes its files, and releases the object. */
export const DELETE_STEPS: Readonly<Record<'Begun' | 'Terminated' | 'Removed', Step>> = {
  Begun: async (run) => {
    if (hasRuntime(run)) {
      await terminate(run, { isGraceful: run.state.phase !== 'Frozen', removesWorkspace: true })
    }
    return { next: 'Terminated' }
  },
  Terminated: async (run) => {
    if (hasRuntime(run)) await removeFiles(run)
    return { next: 'Removed' }
  },
  Removed: release,
}

/** A runtime that is no longer registered has taken its machine's files with it. */
function hasRuntime({ state, parts }: OperationRun): boolean {
  return state.runtime !== null && parts.runtimes.get(state.runtime) !== null
}

async function removeFiles(run: OperationRun): Promise<void> {
  const { operation } = run
  const request = {
    sandbox: sandboxKey(run),
    operationId: callId(operation, 'remove'),
    fence: operation.fence,
  }
  await runtimeClient(run).remove(request, callOptions(run))
}

/** The row is removed with the end of the operation, after the object is released. */
async function release(run: OperationRun): Promise<Outcome> {
  const { namespace, name, uid } = run.state
  const client = planeClient(run)
  const object = await readOrNull(client, SANDBOXES, { namespace, name })
  if (object !== null && object.metadata.uid === uid) {
    const { finalizers = [] } = object.metadata
    const rest = finalizers.filter((finalizer) => finalizer !== FINALIZER)
    if (rest.length < finalizers.length) {
      await client.update(SANDBOXES, {
        ...object,
        metadata: { ...object.metadata, finalizers: rest },
      })
    }
  }
  return { finish: 'Succeeded', removesRows: true }
}
