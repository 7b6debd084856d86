import type { Instance } from '../../drivers/generated/proto/snapshot_driver_pb.ts'
import type { OperationParts } from './operations/operation-parts.ts'

const TIMEOUT_MS = 30_000

type Parts = Pick<OperationParts, 'records' | 'runtimes'> & { readonly runtime: string }

/**
 * Ends an instance that does not belong to its sandbox's row: its plane was removed or reset, or an
 * answer was lost and the operation has used another instance. An unfinished operation may still
 * need the instance.
 */
export async function removeStrayInstance(
  { records, runtimes, runtime }: Parts,
  { sandbox, instanceId, state, fence }: Instance,
): Promise<void> {
  if (sandbox === undefined || (state !== 'Running' && state !== 'Frozen')) return
  const { state: row, operation } = await records.readRows(sandbox.uid)
  if (operation !== null) return
  if (row?.instanceId === instanceId && row.runtime === runtime) return
  const client = runtimes.clients(runtime)?.runtime
  const operationId = `stray-${instanceId}`
  const nextFence = row === null ? fence + 1n : row.fence
  const target = { sandbox, operationId, fence: nextFence }
  await client?.terminate(
    { ...target, instanceId, graceSeconds: 0n, removeWorkspace: row === null },
    { timeoutMs: TIMEOUT_MS },
  )
  if (row === null) await client?.remove(target, { timeoutMs: TIMEOUT_MS })
}
