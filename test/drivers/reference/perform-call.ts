import type { DescMessage, DescMethodUnary, MessageShape } from '@bufbuild/protobuf'
import type { SandboxKey } from '../../../src/sandboxes/drivers/generated/proto/snapshot_driver_pb.ts'
import type { FenceStore } from './fence-store.ts'
import type { OperationLedger } from '../../../src/sandboxes/drivers/protocol/operation-ledger.ts'
import type { DriverCall, Faults } from './faults.ts'
import type { ReferenceState } from './reference-state.ts'

/** The shared state of all calls of a reference server. */
export interface ReferenceContext {
  readonly state: ReferenceState
  readonly faults: Faults
  readonly ledger: OperationLedger
  readonly fences: FenceStore
}

interface ChangingRequest {
  readonly operationId: string
  readonly fence?: bigint
  readonly sandbox?: SandboxKey | undefined
}

interface Call<I extends DescMessage, O extends DescMessage> {
  readonly name: DriverCall
  readonly method: DescMethodUnary<I, O>
  readonly request: MessageShape<I> & ChangingRequest
  readonly signal: AbortSignal
  /** Calls that are idempotent by nature act every time. */
  readonly isStored: boolean
}

/** Performs a changing call in the order of the protocol: fence, ledger, effect, answer. */
export async function performCall<I extends DescMessage, O extends DescMessage>(
  { state, faults, ledger, fences }: ReferenceContext,
  { name, method, request, signal, isStored }: Call<I, O>,
  effect: () => Promise<MessageShape<O>>,
): Promise<MessageShape<O>> {
  const sandboxUid = request.sandbox?.uid ?? ''
  const { operationId, fence = 0n } = request
  await faults.reach(name, 'before-effect', signal)
  // Clients without the extensions send no sandbox key, and Delete has no fence.
  if (sandboxUid !== '' && name !== 'delete') await fences.admit(sandboxUid, fence)
  const stored = { method, request, operationId: isStored ? operationId : '' }
  const response = await ledger.run(stored, async () => {
    const result = await effect()
    state.effects.push({ call: name, operationId, sandboxUid })
    await faults.reach(name, 'after-effect', signal)
    return result
  })
  await faults.reach(name, 'before-answer', signal)
  return response
}
