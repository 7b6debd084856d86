import { unreachable } from 'flotilla'
import { isObjectNotFound, readOrNull } from 'flotilla/controllers'
import type { ApiObject } from 'flotilla/planes'
import type { SandboxOperation } from '../../storage/sandbox-operation.ts'
import type { SandboxState } from '../../storage/sandbox-state.ts'
import { SANDBOXES } from '../snapshot-claims/snapshot-resources.ts'
import { beginOperation } from './begin-operation.ts'
import type { SandboxRows } from './sandbox-records.ts'
import { decide, intentOf, isExpired, positionOf, progressOf } from './model/decide.ts'
import {
  COLD_BOOT_ANNOTATION,
  FINALIZER,
  type ObservedSandbox,
  observedSandbox,
} from './model/observed-sandbox.ts'
import { seenSpec } from './model/seen-spec.ts'
import { observeInstance } from './observe-instance.ts'
import { UNDOING } from './operations/undo.ts'
import type { ReconcileParts } from './reconcile-parts.ts'
import { renewApiToken } from './renew-api-token.ts'
import { requestedSnapshot } from './requested-snapshot.ts'
import { limitNames } from './status/limits-condition.ts'
import { unreadyMessage } from './status/unready-message.ts'
import { lostRuntime } from './runtimes/lost-runtime.ts'
import type { ConditionFacts } from './status/condition-facts.ts'
import { sandboxStatus } from './status/sandbox-status.ts'
import type { SandboxItem } from './waiting-sandboxes.ts'

/**
 * Compares a sandbox with its rows and its instance, then begins, continues or cancels an operation
 * and reports the state. It never waits for a driver. Returns the next reconciliation; null if only
 * changes need one.
 */
export async function reconcileSandbox(
  parts: ReconcileParts,
  item: SandboxItem,
): Promise<NextReconciliation | null> {
  const { plane, namespace, name } = item
  const object = await readOrNull(parts.client(plane), SANDBOXES, { namespace, name })
  const uid = object?.metadata.uid
  const orphans = await removeOrphans(
    parts,
    item.uids.filter((each) => each !== uid),
  )
  const next = (delayMs: number | null): NextReconciliation | null =>
    delayMs === null ? null : { delayMs, item: { plane, namespace, name, uids: orphans.uids } }
  if (object === null || uid === undefined) return next(orphans.delayMs)
  const sandbox = await withFinalizer(parts, observedSandbox(plane, object))
  const rows = await readRows(parts, uid)
  const acted = await act(parts, sandbox, rows)
  await report(parts, sandbox, acted.rows)
  return next(earlier(orphans.delayMs, acted.delayMs))
}

interface NextReconciliation {
  readonly delayMs: number
  /** Without the orphans that need no other attempt. */
  readonly item: SandboxItem
}

/** Returns the orphans that need another attempt, and the time until then. */
async function removeOrphans(parts: ReconcileParts, uids: readonly string[]) {
  const again: string[] = []
  let delayMs: number | null = null
  for (const uid of uids) {
    const orphanDelayMs = await removeOrphan(parts, uid)
    if (orphanDelayMs !== null) again.push(uid)
    delayMs = earlier(delayMs, orphanDelayMs)
  }
  return { uids: again, delayMs }
}

async function readRows({ records, ...parts }: ReconcileParts, uid: string): Promise<SandboxRows> {
  const { state, operation } = await records.readRows(uid)
  // A running operation changes the row itself; a waiting one must see the end of its workload.
  const isBusy = operation !== null && operation.nextAttemptTime === null
  if (state === null || isBusy) return { state, operation }
  return { state: await observeInstance({ records, ...parts }, state), operation }
}

interface Acted {
  readonly rows: SandboxRows
  readonly delayMs: number | null
}

async function act(
  parts: ReconcileParts,
  sandbox: ObservedSandbox,
  rows: SandboxRows,
): Promise<Acted> {
  const { runner, timers } = parts
  const { state, operation } = rows
  const now = timers.clock()
  const intent = intentOf(sandbox.spec, now)
  const position = positionOf(state, sandbox.spec.workload.restartPolicy)
  const isIdle = intent === 'Run' && position === 'Running' && operation === null
  const requested = isIdle ? await requestedSnapshot(parts, sandbox) : null
  const action = decide({ intent, position, operation, wantsSnapshot: requested !== null })
  const begin = async (
    kind: SandboxOperation['kind'],
    data: SandboxOperation['data'] = {},
  ): Promise<Acted> => {
    const begun = await beginOperation(parts, sandbox, { kind, data })
    return { rows: begun ?? rows, delayMs: begun === null ? REBEGIN_MS : null }
  }
  const renewal = () => (position === 'Running' ? renewApiToken(parts, state) : null)
  switch (action) {
    case 'Nothing':
      if (position === 'Running') await forgetColdBoot(parts, sandbox)
      return { rows, delayMs: earlier(untilShutdown(sandbox, now), await renewal()) }
    case 'BeginStart': {
      const pauseMs = position === 'Ended' ? restartPause(state, now) : 0
      if (pauseMs > 0) return { rows, delayMs: pauseMs }
      if (position === 'Ended') return begin('Start', { isRestart: true })
      return begin(sandbox.spec.restoreFrom === null ? 'Start' : 'Resume')
    }
    case 'BeginSuspend':
      return begin('Suspend')
    case 'BeginResume':
      return begin('Resume')
    case 'BeginSnapshot':
      return begin('Snapshot', { requested })
    case 'BeginDelete':
      return begin('Delete')
    case 'Cancel':
      if (operation === null) return { rows, delayMs: null }
      return {
        rows,
        delayMs: (await resume(parts, { sandbox, state, operation, isCancelled: true })) ?? 1000,
      }
    case 'Continue':
      if (operation === null || runner.isRunning(sandbox.ref.uid)) return { rows, delayMs: null }
      return {
        rows,
        delayMs: await resume(parts, { sandbox, state, operation, isCancelled: false }),
      }
    default:
      return unreachable(action)
  }
}

interface Resumed {
  readonly sandbox: ObservedSandbox | null
  readonly state: SandboxState | null
  readonly operation: SandboxOperation
  readonly isCancelled: boolean
}

/** Runs an unfinished operation if it is due. Returns the time until then. */
async function resume(
  { runner, records, timers, waiting, holder }: ReconcileParts,
  { sandbox, state, operation, isCancelled }: Resumed,
): Promise<number | null> {
  if (state === null) return null
  if (!runner.isRunning(state.uid)) {
    const now = timers.clock()
    const endsPause = isCancelled && canCancel(operation)
    const isWoken = waiting.takeWoken(state.uid) || endsPause || isChanged(sandbox, operation)
    const due = isWoken ? null : operation.nextAttemptTime
    const waitMs = due === null ? 0 : due.getTime() - now.getTime()
    const { plane, namespace, name } = state
    waiting.set(state.uid, waitMs > 0 ? { plane, namespace, name, uids: [state.uid] } : null)
    if (waitMs > 0) return waitMs
    const lease = { holder, leaseSeconds: LEASE_SECONDS, now }
    const taken = await records.takeOperation(operation.id, lease)
    if (taken === null) return RETAKE_MS
    const fresh = await records.readState(state.uid)
    if (fresh === null) return null
    runner.start({ operation: taken, state: fresh, sandbox })
  }
  if (isCancelled) runner.cancel(state.uid)
  return null
}

const LEASE_SECONDS = 15
/** Pause before another attempt to begin an operation. */
const REBEGIN_MS = 1000
/** Pause before another attempt to take over an operation of another process. */
const RETAKE_MS = 2000

/** Whether a cancellation changes the next step. A failed undo waits as other steps do. */
function canCancel(operation: SandboxOperation): boolean {
  return progressOf(operation) === 'Undoable' && operation.step !== UNDOING
}

/** A change of the spec, or a request for a cold boot, may remove the reason of a pause. */
function isChanged(sandbox: ObservedSandbox | null, operation: SandboxOperation): boolean {
  if (sandbox === null || operation.nextAttemptTime === null) return false
  return operation.data['seen'] !== seenSpec(sandbox)
}

/**
 * Rows without an object: the finalizer was removed by force, or a server ended before it could
 * remove them. Ends the workload all the same. Returns the time until the next attempt.
 */
async function removeOrphan(parts: ReconcileParts, uid: string): Promise<number | null> {
  const { records, runner } = parts
  const { state, operation } = await records.readRows(uid)
  if (state === null || runner.isRunning(uid)) return null
  if (operation === null) {
    const begun = await beginOperation(parts, null, { kind: 'Delete', data: {}, state })
    return begun === null ? REBEGIN_MS : null
  }
  const isCancelled = operation.kind !== 'Delete'
  return resume(parts, { sandbox: null, state, operation, isCancelled })
}

async function withFinalizer(
  { client, ownWrites }: ReconcileParts,
  sandbox: ObservedSandbox,
): Promise<ObservedSandbox> {
  if (sandbox.hasFinalizer || sandbox.spec.isDeleting) return sandbox
  const { object, ref } = sandbox
  const finalizers = [...(object.metadata.finalizers ?? []), FINALIZER]
  const changed: ApiObject = { ...object, metadata: { ...object.metadata, finalizers } }
  const written = await client(ref.plane).update(SANDBOXES, changed, { basedOn: object })
  return observedSandbox(ref.plane, ownWrites.record(written))
}

/** The request applies to one start. */
async function forgetColdBoot(
  { client }: ReconcileParts,
  { spec, object, ref }: ObservedSandbox,
): Promise<void> {
  if (!spec.requestsColdBoot) return
  const { [COLD_BOOT_ANNOTATION]: used, ...annotations } = object.metadata.annotations ?? {}
  void used
  const metadata = { ...object.metadata, annotations }
  await client(ref.plane).update(SANDBOXES, { ...object, metadata }, { basedOn: object })
}

/** Writes the status if it has changed, unless the sandbox was removed after it was read. */
async function report(
  { client, instances, runtimes, timers, ownWrites }: ReconcileParts,
  sandbox: ObservedSandbox,
  { state, operation }: SandboxRows,
): Promise<void> {
  const now = timers.clock()
  const { object, ref, spec } = sandbox
  const runtime = state?.runtime ?? null
  const listed = runtime === null ? null : runtimes.get(runtime)
  const facts: ConditionFacts = {
    intent: intentOf(spec, now),
    position: positionOf(state, spec.workload.restartPolicy),
    isExpired: isExpired(spec, now),
    usesSnapshots: spec.strategy.type === 'Hibernate',
    state,
    operation,
    limits: limitNames(spec.workload),
    runtimeLimits: listed?.limits ?? [],
    lostRuntime: runtime === null ? null : lostRuntime(runtime, listed),
    unready: unreadyMessage({
      instance: instances.find(runtime ?? '', ref.uid, state?.instanceId ?? ''),
      workload: spec.workload,
      conditions: sandbox.status['conditions'],
    }),
  }
  const status = sandboxStatus(sandbox, facts, { now, machine: listed?.machine ?? '' })
  if (status === null) return
  try {
    const reported = { ...object, status }
    const options = { basedOn: object }
    const plane = client(ref.plane)
    ownWrites.record(await plane.updateSubresource(SANDBOXES, 'status', reported, options))
  } catch (error) {
    if (!isObjectNotFound(error, ref.name)) throw error
  }
}

function restartPause(state: SandboxState | null, now: Date): number {
  const time = state?.details['restartTime']
  return typeof time === 'string' ? Math.max(0, Date.parse(time) - now.getTime()) : 0
}

function untilShutdown({ spec: { shutdownTime } }: ObservedSandbox, now: Date): number | null {
  const delay = shutdownTime === null ? 0 : shutdownTime.getTime() - now.getTime()
  return delay > 0 ? Math.min(delay, MAX_DELAY_MS) : null
}

function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other)
}

/** Longer delays are split, because timers have a limit. */
const MAX_DELAY_MS = 3_600_000
