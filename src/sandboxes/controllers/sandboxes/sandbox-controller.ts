import { unlessAborted } from 'flotilla'
import {
  type ControllerContext,
  type FleetChange,
  type FullPass,
  queueObjects,
  startController,
  storageName,
  type WorkQueue,
} from 'flotilla/controllers'
import { snapshotOf } from '../../model/snapshot.ts'
import type { Instance } from '../../drivers/generated/proto/snapshot_driver_pb.ts'
import {
  CLAIM_TEMPLATES,
  CLAIMS,
  CLASSES,
  PROVIDERS,
  SANDBOXES,
  SNAPSHOTS,
} from '../snapshot-claims/snapshot-resources.ts'
import { readInstallationId } from '../snapshots/installation-id.ts'
import { startOperationRunner } from './operations/operation-runner.ts'
import type { OperationParts } from './operations/operation-parts.ts'
import { OPERATION_ANNOTATION } from './operations/snapshot-object.ts'
import type { ReconcileParts } from './reconcile-parts.ts'
import { OwnWrites } from './own-writes.ts'
import { reconcileSandbox } from './reconcile-sandbox.ts'
import type { ApiTokens } from './api-tokens.ts'
import { removeStrayInstance } from './remove-stray-instance.ts'
import { reportOperation } from './report-operation.ts'
import { startInstanceWatch } from './runtimes/instance-watch.ts'
import type { RuntimeDirectory } from './runtimes/runtime-directory.ts'
import type { SandboxMetrics } from './sandbox-metrics.ts'
import type { SandboxRecords } from './sandbox-records.ts'
import { mergeItems, type SandboxItem, WaitingSandboxes } from './waiting-sandboxes.ts'

const ROOT = 'root'
const CONCURRENCY = 16
const PAGE_SIZE = 500
const PASS_MS = 600_000
const RETENTION_MS = 86_400_000
const MAX_DROPPED = 10_000
const RESOURCES = [SANDBOXES, SNAPSHOTS].map(storageName)
const BACKENDS = [PROVIDERS, CLASSES, CLAIMS, CLAIM_TEMPLATES].map(storageName)

type Context = ControllerContext &
  Pick<OperationParts, 'tenantOf'> & {
    readonly records: SandboxRecords
    readonly runtimes: RuntimeDirectory
    /** Ends the start. */
    readonly signal: AbortSignal
    /** Why this server starts no sandboxes; null if it does. */
    readonly startProblem: string | null
    readonly apiTokens: ApiTokens
    readonly sandboxMetrics: SandboxMetrics | null
    /** Unique to this process. */
    readonly holder: string
  }

/** Runs, suspends and resumes the sandboxes of all planes. Starts when the runtimes are listed. */
export async function startSandboxController(context: Context): Promise<AsyncDisposable> {
  const { fleet, records, runtimes, timers, onError, holder, sandboxMetrics: metrics } = context
  const { startProblem, apiTokens, tenantOf } = context
  await unlessAborted(runtimes.synced, context.signal)
  const installation = await readInstallationId(fleet.plane(ROOT))
  const client = (plane: string) => fleet.plane(plane)
  const parts = {
    client,
    records,
    runtimes,
    installation,
    startProblem,
    apiTokens,
    tenantOf,
    timers,
    metrics,
    onError,
  }
  const waiting = new WaitingSandboxes()
  const ownWrites = new OwnWrites()
  let queue: WorkQueue<SandboxItem> | null = null
  const add = (item: SandboxItem, delayMs = 0): void => queue?.addAfter(item, delayMs)
  const workers = startWorkers(parts, { holder, waiting, add })
  const reconcileParts: ReconcileParts = { ...parts, ...workers, waiting, ownWrites, holder }
  const controller = await startController<SandboxItem>(context, {
    name: 'sandboxes',
    resources: [...RESOURCES, ...BACKENDS],
    idOf: ({ plane, namespace, name }) => `${plane}/${namespace}/${name}`,
    merge: mergeItems,
    concurrency: CONCURRENCY,
    passEveryMs: PASS_MS,
    observe: (change, into) => observe(change, into, { waiting, ownWrites }),
    forget: () => ownWrites.forget(),
    followFurther: (started) => {
      queue = started
      return Promise.resolve({ [Symbol.asyncDispose]: () => Promise.resolve() })
    },
    reconcile: async (item, into) => {
      const next = await reconcileSandbox(reconcileParts, item)
      if (next !== null) into.addAfter(next.item, next.delayMs)
    },
    findAll: async (...pass) => {
      const before = new Date(timers.clock().getTime() - RETENTION_MS)
      await records.dropFinishedOperations(before, MAX_DROPPED)
      await queueObjects(pass, { resource: storageName(SANDBOXES) }, (sandbox) => [itemOf(sandbox)])
      await findRows(records, pass)
    },
  })
  return {
    [Symbol.asyncDispose]: async () => {
      await workers[Symbol.asyncDispose]()
      await controller[Symbol.asyncDispose]()
    },
  }
}

/** Queues a sandbox, after a delay if it has one. */
type Add = (item: SandboxItem, delayMs?: number) => void

interface WorkerOptions {
  readonly holder: string
  readonly waiting: WaitingSandboxes
  readonly add: Add
}

/**
 * A status shows the steps of operations that take longer. Most operations end within this time, and
 * their end is reported immediately.
 */
const STEP_REPORT_MS = 2000

/** Runs operations and follows the instances of runtimes. Both queue the sandboxes they change. */
function startWorkers(parts: OperationParts, { holder, waiting, add }: WorkerOptions) {
  const { records, runtimes, timers, metrics, onError } = parts
  const runner = startOperationRunner({
    parts,
    holder,
    onStep: (run, outcome) => {
      // Only an operator can resolve it.
      if (outcome instanceof Error && outcome.reason === 'Unisolated') onError(outcome)
      void reportOperation(run, outcome).catch(onError)
      // After a problem or the end, `onEnd` follows and queues the sandbox.
      if (outcome instanceof Error || 'finish' in outcome) return
      add(itemOf(run.operation), outcome.retry === undefined ? STEP_REPORT_MS : 0)
    },
    onEnd: (operation) => add(itemOf(operation)),
  })
  const exposed = metrics?.exposeOperations({
    get running() {
      return runner.running
    },
    get waiting() {
      return waiting.size
    },
  })
  const instances = startInstanceWatch({
    runtimes,
    timers,
    onInstance: (instance, runtime) => {
      // The end of the operation queues the sandbox. Only a live snapshot leaves it ready until then.
      const kind = runner.kindOf(instance.sandbox?.uid ?? '')
      if (kind !== null && kind !== 'Snapshot') return
      void observeInstance({ ...parts, runtime }, instance, add).catch(onError)
    },
    onRuntime: (runtime) => {
      for (const item of waiting.wake(null)) add(item)
      void queueRuntime(records, runtime, add).catch(onError)
    },
  })
  return {
    runner,
    instances,
    [Symbol.asyncDispose]: async () => {
      exposed?.[Symbol.dispose]()
      await instances[Symbol.asyncDispose]()
      await runner[Symbol.asyncDispose]()
    },
  }
}

function observe(
  { resource, plane, namespace, name, uid, type, object }: FleetChange,
  queue: WorkQueue<SandboxItem>,
  { waiting, ownWrites }: Pick<ReconcileParts, 'ownWrites' | 'waiting'>,
): void {
  if (resource === storageName(SANDBOXES)) {
    if (type === 'MODIFIED' && ownWrites.has(object())) return
    return queue.add({ plane, namespace, name, uids: type === 'DELETED' ? [uid] : [] })
  }
  if (resource === storageName(SNAPSHOTS)) {
    const snapshot = snapshotOf(object())
    const isRequest = object().metadata.annotations?.[OPERATION_ANNOTATION] === undefined
    if (isRequest && snapshot.phase === null)
      queue.add({ plane, namespace, name: snapshot.sandbox.name, uids: [] })
    return
  }
  for (const item of waiting.wake(plane)) queue.add(item)
}

/** Queues the sandbox of an instance, and ends an instance that no row names. */
async function observeInstance(
  parts: OperationParts & { readonly runtime: string },
  instance: Instance,
  add: Add,
): Promise<void> {
  const { sandbox } = instance
  if (sandbox === undefined || sandbox.installation !== parts.installation) return
  add(itemOf(sandbox))
  await removeStrayInstance(parts, instance)
}

/** Finds rows whose objects no longer exist. */
async function findRows(
  records: SandboxRecords,
  [queue, signal]: FullPass<SandboxItem>,
): Promise<void> {
  for await (const states of rowPages(records, null)) {
    for (const state of states) queue.add(itemOf(state))
    if (signal.aborted) return
  }
}

/** Queues the sandboxes of a runtime that has changed. */
async function queueRuntime(records: SandboxRecords, runtime: string, add: Add): Promise<void> {
  for await (const states of rowPages(records, runtime)) {
    for (const state of states) add(itemOf(state))
  }
}

async function* rowPages(records: SandboxRecords, runtime: string | null) {
  for (let afterUid = ''; ;) {
    const states = await records.listStates({ afterUid, limit: PAGE_SIZE, runtime })
    yield states
    const last = states.at(-1)
    if (last === undefined || states.length < PAGE_SIZE) return
    afterUid = last.uid
  }
}

interface Sandbox extends Omit<SandboxItem, 'uids'> {
  readonly uid: string
}

function itemOf({ plane, namespace, name, uid }: Sandbox): SandboxItem {
  return { plane, namespace, name, uids: [uid] }
}
