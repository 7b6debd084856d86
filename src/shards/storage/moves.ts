import type { Database } from '../../store/database/database.ts'
import { stored, storedTime } from '../../store/database/prisma-values.ts'

/** The last complete step of a move. A move that is `aborted` is undone. */
export type MoveStep =
  | 'started'
  | 'frozen'
  | 'copied'
  | 'assigned'
  | 'departed'
  | 'activated'
  | 'recorded'
  | 'aborted'

const IS_ASSIGNED: Readonly<Record<MoveStep, boolean>> = {
  started: false,
  frozen: false,
  copied: false,
  assigned: true,
  departed: true,
  activated: true,
  recorded: true,
  aborted: false,
}

/** Whether the tenant belongs to the target of its move, and no longer to the source. */
export function isAssigned({ step }: Pick<Move, 'step'>): boolean {
  return IS_ASSIGNED[step]
}

/** An unfinished move of a tenant from one shard to another. */
export interface Move {
  readonly tenant: string
  readonly source: string
  readonly target: string
  readonly step: MoveStep
  readonly startedTime: Date
  /** The attempt that may continue the move. */
  readonly attempt: bigint
}

const COLUMNS = 'tenant, source, target, step, started_time as "startedTime", attempt'

/** The unfinished moves, oldest first. */
export async function listMoves(directory: Database): Promise<readonly Move[]> {
  const moves = await directory.withPrisma('list_tenant_moves', (prisma) =>
    prisma.tenantMove.findMany({ orderBy: [{ startedTime: 'asc' }, { tenant: 'asc' }] }),
  )
  return moves.map((move) => ({
    ...move,
    step: stored(move.step),
    startedTime: storedTime(move.startedTime),
  }))
}

const BEGIN_MOVE = {
  name: 'begin_tenant_move',
  text: `
    with begun as (
      insert into tenant_moves (tenant, source, target, step)
      select tenant, shard, $2::text, 'started' from tenant_shards
      where tenant = $1::text and shard <> $2::text
        and exists (select 1 from shards where name = $2::text)
      on conflict (tenant) do nothing
      returning ${COLUMNS}
    )
    select tenant, source, target, step, "startedTime", attempt from begun
    union all select ${COLUMNS} from tenant_moves where tenant = $1::text`,
}

/**
 * Begins a move, or returns the tenant's unfinished one, which may have another target. Null if the
 * tenant is in the target, or if tenant or target are unknown.
 */
export async function beginMove(
  directory: Database,
  tenant: string,
  target: string,
): Promise<Move | null> {
  const [move] = await directory.execute<Move>(BEGIN_MOVE, [tenant, target])
  return move ?? null
}

const BEGIN_ATTEMPT = {
  name: 'begin_attempt_to_move',
  text: `
    with locked as (
      select tenant from tenant_moves where tenant = $1::text for update
    ), numbered as (
      update tenant_shards set attempt = greatest(attempt, $2::bigint) + 1
      from locked where tenant_shards.tenant = locked.tenant
      returning tenant_shards.tenant, attempt
    )
    update tenant_moves set attempt = numbered.attempt
    from numbered where tenant_moves.tenant = numbered.tenant
    returning tenant_moves.tenant, source, target, step, started_time as "startedTime",
      tenant_moves.attempt`,
}

/**
 * Begins an attempt to continue the move of a tenant, with a number above `seen`. Older attempts can
 * record no more steps. Null if the move has ended. Locks the move before the tenant's shard, as the
 * step `assigned` does.
 */
export async function beginAttempt(
  directory: Database,
  tenant: string,
  seen: bigint,
): Promise<Move | null> {
  const [move] = await directory.execute<Move>(BEGIN_ATTEMPT, [tenant, seen])
  return move ?? null
}

const ASSIGN_TENANT = {
  name: 'assign_moved_tenant',
  text: `
    with moved as (
      update tenant_moves set step = 'assigned'
      where tenant = $1::text and attempt = $2::bigint and step = $3::text
      returning tenant, target
    )
    update tenant_shards set shard = moved.target
    from moved where tenant_shards.tenant = moved.tenant
    returning tenant_shards.tenant`,
}

/**
 * Records the step after that of the move; null ends it. The step `assigned` assigns the tenant to its
 * new shard in the same statement. Returns false if a newer attempt has begun.
 */
export async function recordStep(
  directory: Database,
  { tenant, attempt, step }: Pick<Move, 'tenant' | 'attempt' | 'step'>,
  next: MoveStep | null,
): Promise<boolean> {
  if (next === 'assigned') {
    return (await directory.execute(ASSIGN_TENANT, [tenant, attempt, step])).length > 0
  }
  const where = { tenant, attempt, step }
  const { count } =
    next === null
      ? await directory.withPrisma('end_tenant_move', (prisma) =>
          prisma.tenantMove.deleteMany({ where }),
        )
      : await directory.withPrisma('complete_move_step', (prisma) =>
          prisma.tenantMove.updateMany({ where, data: { step: next } }),
        )
  return count > 0
}
