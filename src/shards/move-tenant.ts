import type { Table } from '../store/tables/table.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../store/database/database.ts'
import { removeStatesOfPlanes } from '../sandboxes/storage/remove-states-of-planes.ts'
import { removePlanes } from '../store/objects/storage/remove-planes.ts'
import { awaitRunningTransactions } from './storage/await-transactions.ts'
import { awaitHistory } from './storage/await-history.ts'
import { copyRecords } from './storage/copy-records.ts'
import { copyTenant, type OnTable } from './storage/copy-tenant.ts'
import { deleteTenant } from './storage/delete-tenant.ts'
import { MoveError, supersededAttempt } from './storage/move-error.ts'
import { isAssigned, type Move, type MoveStep, recordStep } from './storage/moves.ts'
import { countRunningSandboxes } from './storage/count-running-sandboxes.ts'
import {
  type Attempt,
  readTenantState,
  setTenantState,
  type TenantState,
} from './storage/tenant-states.ts'
import { STATES_VALID_MS } from './shard-tenants.ts'

/** Longer than the last read of the tenants' states stays valid on any server. */
export const STATES_EXPIRY_MS = STATES_VALID_MS + 1000
const TRANSACTIONS_TIMEOUT_MS = 60_000
const HISTORY_TIMEOUT_MS = 15_000
const PLANES_PER_BATCH = 1000

/** A shard that takes part in a move. */
export interface MovingShard {
  readonly name: string
  /** The URL of its database. */
  readonly url: string
  readonly database: Database
}

/** The databases of a move. */
export interface MoveContext {
  readonly directory: Database
  readonly tables: readonly Table[]
  readonly source: MovingShard
  readonly target: MovingShard
  readonly onTable: OnTable
  /** Receives notices for the operator. The move continues. */
  readonly onNotice: (text: string) => void
  /** Called after each step with the last complete one; null at the end. */
  readonly onStep: (step: MoveStep | null) => void
}

type Step = (context: MoveContext, attempt: Attempt) => Promise<void>

/** The step that follows a complete one, and what it does. Each may be repeated. */
const STEPS: Readonly<Record<MoveStep, { readonly run: Step; readonly next: MoveStep | null }>> = {
  started: { run: freeze, next: 'frozen' },
  frozen: { run: copy, next: 'copied' },
  // The record of this step is the commit of the move: it assigns the tenant to its new shard.
  copied: { run: () => Promise.resolve(), next: 'assigned' },
  assigned: { run: depart, next: 'departed' },
  departed: { run: activate, next: 'activated' },
  activated: { run: copyRecordsOf, next: 'recorded' },
  recorded: { run: clear, next: null },
  aborted: { run: undo, next: null },
}

/**
 * Continues a move after its last complete step, until it is finished. Reads of the tenant continue;
 * writes get 503 from the first step until the target is active. Throws a MoveError if the move
 * cannot continue, or if a newer attempt has begun; the move can then be continued or aborted.
 */
export async function moveTenant(context: MoveContext, move: Move): Promise<void> {
  for (let step: MoveStep | null = move.step; step !== null; step = STEPS[step].next) {
    await STEPS[step].run(context, move)
    await record(context, { ...move, step }, STEPS[step].next)
  }
}

/** Undoes a move if its tenant has not been assigned to the target, and finishes it otherwise. */
export async function abortMove(context: MoveContext, move: Move): Promise<void> {
  if (isAssigned(move)) return moveTenant(context, move)
  await record(context, move, 'aborted')
  await moveTenant(context, { ...move, step: 'aborted' })
}

async function record(context: MoveContext, move: Move, next: MoveStep | null): Promise<void> {
  if (!(await recordStep(context.directory, move, next))) throw supersededAttempt()
  context.onStep(next)
}

async function undo({ source, target, tables }: MoveContext, attempt: Attempt): Promise<void> {
  // No server of the target has served the copy: its versions can be assigned again in the source.
  await change(target, attempt, { from: ['arriving', 'arrived', 'frozen'], to: 'departed' })
  await change(source, attempt, { from: ['frozen'], to: 'active' })
  await clearShard(target, tables, attempt)
}

async function freeze({ source }: MoveContext, attempt: Attempt): Promise<void> {
  const found = await readTenantState(source.database, attempt.tenant)
  if (found?.state === 'active') {
    await requireNoSandboxes(source, attempt, 'suspend or delete them, then resume the move')
  }
  await change(source, attempt, { from: ['active'], to: 'frozen' })
  const areEnded = await awaitRunningTransactions(source.database, {
    timeoutMs: TRANSACTIONS_TIMEOUT_MS,
    pause: sleep,
  })
  if (areEnded) return
  throw new MoveError(
    `a transaction in ${source.name} runs for more than ${TRANSACTIONS_TIMEOUT_MS / 1000} s: resume the move when it has ended, or abort it`,
  )
}

async function copy(context: MoveContext, attempt: Attempt): Promise<void> {
  const { source, target, tables, onTable } = context
  // One may have started until the tenant was frozen.
  await requireNoSandboxes(source, attempt, 'abort the move, then suspend or delete them')
  const arrived = await readTenantState(target.database, attempt.tenant)
  // An older version of this command made the complete copy readable.
  if (arrived?.state === 'arrived' || arrived?.state === 'frozen') return
  await change(target, attempt, { from: ['departed'], to: 'arriving' })
  await copyTenant({ source: source.url, target: target.url, tables }, attempt, onTable)
}

/** Throws a MoveError with a remedy if sandboxes of the tenant run in the source. */
async function requireNoSandboxes(
  { name, database }: MovingShard,
  { tenant }: Attempt,
  remedy: string,
): Promise<void> {
  const running = await countRunningSandboxes(database, tenant)
  if (running === 0) return
  throw new MoveError(`${running} sandboxes of the tenant run on machines of ${name}: ${remedy}`)
}

async function depart({ source, target }: MoveContext, attempt: Attempt): Promise<void> {
  // Before the source stops serving reads, so that they are not interrupted.
  await change(target, attempt, { from: ['arrived', 'frozen'], to: 'frozen' })
  await change(source, attempt, { from: ['frozen'], to: 'departed' })
  // After this pause, no server uses an earlier read of the states.
  await sleep(STATES_EXPIRY_MS)
}

async function activate({ target }: MoveContext, attempt: Attempt): Promise<void> {
  await change(target, attempt, { from: ['frozen'], to: 'active' })
}

/** Runs while the target serves the tenant, because these tables grow with time. */
async function copyRecordsOf(
  { source, target, tables, onTable, onNotice }: MoveContext,
  { tenant }: Attempt,
): Promise<void> {
  if (!(await awaitHistory(source.database, { timeoutMs: HISTORY_TIMEOUT_MS, pause: sleep }))) {
    onNotice(`the newest history of the tenant is not collected yet, and stays in ${source.name}`)
  }
  await copyRecords({ source: source.url, target: target.url, tables }, tenant, onTable)
}

async function clear({ source, tables }: MoveContext, attempt: Attempt): Promise<void> {
  await clearShard(source, tables, attempt)
}

/** Deletes the rows of a tenant that has departed from a shard. May be repeated. */
export async function clearShard(
  { url, database }: MovingShard,
  tables: readonly Table[],
  attempt: Attempt,
): Promise<void> {
  const planes = await deleteTenant(url, tables, attempt)
  const removal = { batchSize: PLANES_PER_BATCH, removeRecords: removeStatesOfPlanes }
  await removePlanes(database, planes, removal)
}

async function change(
  { name, database }: MovingShard,
  attempt: Attempt,
  states: { from: readonly TenantState[]; to: TenantState },
): Promise<void> {
  if (await setTenantState(database, attempt, states)) return
  throw new MoveError(
    `the state of the tenant in ${name} does not allow '${states.to}', or another process has continued or aborted the move`,
  )
}
