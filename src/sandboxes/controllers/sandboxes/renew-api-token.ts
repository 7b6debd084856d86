import { create } from '@bufbuild/protobuf'
import { isJsonObject } from 'flotilla'
import type { SandboxState } from '../../storage/sandbox-state.ts'
import { SandboxKeySchema } from '../../drivers/generated/proto/snapshot_driver_pb.ts'
import type { OperationParts } from './operations/operation-parts.ts'
import { recorded } from './operations/operation-run.ts'

const CALL_TIMEOUT_MS = 5000
const RETRY_MS = 10_000

/**
 * Replaces the token of a running sandbox before it expires. Returns the milliseconds until the next
 * renewal; null if the run has no access to the API.
 */
export async function renewApiToken(
  parts: OperationParts,
  state: SandboxState | null,
): Promise<number | null> {
  const { apiAccess } = state?.details ?? {}
  if (state === null || state.instanceId === null || !isJsonObject(apiAccess)) return null
  const account = recorded(apiAccess, 'account')
  const now = parts.timers.clock()
  const delayMs = Date.parse(recorded(apiAccess, 'renewTime')) - now.getTime()
  if (delayMs > 0) return Math.min(delayMs, MAX_DELAY_MS)
  try {
    return await replaceToken(parts, state, {
      account,
      instance: state.instanceId,
    })
  } catch (error) {
    parts.onError(error)
    return RETRY_MS
  }
}

/** Longer delays are split, because timers have a limit. */
const MAX_DELAY_MS = 3_600_000

interface Access {
  readonly account: string
  readonly instance: string
}

async function replaceToken(
  { apiTokens, runtimes, records, installation, timers }: OperationParts,
  state: SandboxState,
  { account, instance }: Access,
): Promise<number> {
  const { plane, namespace, name, uid, fence, runtime, details } = state
  const issued = await apiTokens.issue({ sandbox: state, instance, account })
  const client = runtimes.clients(runtime ?? '')?.runtime
  if (issued === null || client === undefined) return RETRY_MS
  const sandbox = create(SandboxKeySchema, { plane, namespace, name, uid, installation })
  const { token, renewTime } = issued
  const request = { sandbox, instanceId: instance, operationId: '', fence, token }
  await client.renewToken(request, { timeoutMs: CALL_TIMEOUT_MS })
  const apiAccess = { account, renewTime: renewTime.toISOString() }
  // Another change of the row only leads to another renewal.
  await records.recordObservation(state, { ...state, details: { ...details, apiAccess } })
  return Math.max(RETRY_MS, renewTime.getTime() - timers.clock().getTime())
}
