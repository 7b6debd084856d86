import { must } from '../../lib/assert.ts'
import type { Database } from '../../store/database/database.ts'
import { ImportError } from '../import-error.ts'

/** Tables whose rows only a followed source may write. */
const TABLES = ['resources', 'adapter_statuses'] as const

/** Every part of the texts is a constant of this program. */
const CREATE_GUARD = {
  name: 'create_import_guard',
  text: `
    create or replace function require_import() returns trigger language plpgsql as $$
    begin
      if current_setting('flotilla.imports', true) = 'true' then return null; end if;
      raise exception using errcode = '40T02',
        message = 'an import follows its source, the only writer until --finish or --abort';
    end
    $$`,
}

const CREATE_TRIGGERS = TABLES.map((table) => ({
  name: `create_import_guard_${table}`,
  text: `
    create or replace trigger require_import before insert or update or delete on ${table}
    for each statement execute function require_import()`,
}))

/** Drops the triggers too. */
const DROP_GUARD = {
  name: 'drop_import_guard',
  text: 'drop function if exists require_import() cascade',
}

/** Waits for pages of a follower, or keeps the guard until the end of a page. */
const LOCK_GUARD = {
  name: 'lock_import_guard',
  text: `
    select case when $1::boolean then pg_advisory_xact_lock(7305188033)
      else pg_advisory_xact_lock_shared(7305188033) end`,
}

const SET_SOURCE = {
  name: 'set_import_source',
  text: `select set_config('flotilla.import_source', $1, true)`,
}

/** A comment of the guard lives as long as the guard. Its statement takes no parameters. */
const MARK_COMPARED = {
  name: 'mark_import_compared',
  text: `
    do $$ begin
      execute format('comment on function require_import() is %L',
        gen_random_uuid() || ' ' || current_setting('flotilla.import_source'));
    end $$`,
}

/** Reads the catalogs by a query: a session can still cache the name of a function that was dropped. */
const READ_GUARD = {
  name: 'read_import_guard',
  text: `
    select concat(pg_proc.oid, ' ', description) as id,
      substring(description from ' (.*)') as source
    from pg_proc
    left join pg_description
      on objoid = pg_proc.oid and classoid = 'pg_proc'::regclass and objsubid = 0
    where proname = 'require_import' and pronamespace = to_regnamespace(current_schema())`,
}

const PASS_GUARD = {
  name: 'pass_import_guard',
  text: `select set_config('flotilla.imports', 'true', true)`,
}

/** The function whose triggers reject writes by servers. */
interface Guard {
  /** Differs after the target was open in between, or compared again. */
  readonly id: string
  /** The title of the followed source; null until a comparison has found no resources that it lacks. */
  readonly source: string | null
}

/** The guard after a process has closed the target. */
interface ClosingGuard extends Guard {
  /** Whether the process has created it; otherwise the target was closed already. */
  readonly isOwn: boolean
}

/** The guard of a closed target, or null if servers may write. */
export async function readGuard(database: Database): Promise<Guard | null> {
  const [row] = await database.execute<Guard>(READ_GUARD, [])
  return row ?? null
}

/** From now on, only imports write resources and reports. Writes by servers are 409. */
export async function closeForWrites(database: Database): Promise<ClosingGuard> {
  return await database.transaction(async (transaction) => {
    await transaction.execute(LOCK_GUARD, [true])
    const found = await readGuard(transaction)
    if (found !== null) return { ...found, isOwn: false }
    await transaction.execute(CREATE_GUARD, [])
    for (const statement of CREATE_TRIGGERS) await transaction.execute(statement, [])
    return { ...must(await readGuard(transaction), 'the created guard'), isOwn: true }
  })
}

/**
 * Gives the guard of a target that follows this source another id, so that passes of followers that have begun
 * write nothing more. Throws an ImportError if there is no such guard.
 */
export async function renewGuard(database: Database, source: string): Promise<Guard> {
  return await database.transaction(async (transaction) => {
    await transaction.execute(LOCK_GUARD, [true])
    const found = await readGuard(transaction)
    if (found === null || found.source === null) {
      const state =
        found === null ? 'no import follows a source' : 'the target is closed but not compared'
      throw new ImportError(`${state}: begin with --follow`)
    }
    if (found.source !== source) {
      throw new ImportError(`the target follows another source, ${found.source}: use its --from`)
    }
    await mark(transaction, source)
    return must(await readGuard(transaction), 'the renewed guard')
  })
}

/** Servers may write again. */
export async function openForWrites(database: Database): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.execute(LOCK_GUARD, [true])
    await transaction.execute(DROP_GUARD, [])
  })
}

/**
 * Opens the target after a failed comparison, unless another process has closed or compared it. Returns the
 * guard of a target that stays closed.
 */
export async function reopenForWrites(
  database: Database,
  { id, isOwn }: ClosingGuard,
): Promise<Guard | null> {
  return await database.transaction(async (transaction) => {
    await transaction.execute(LOCK_GUARD, [true])
    const guard = await readGuard(transaction)
    if (guard === null || !isOwn || guard.id !== id) return guard
    await transaction.execute(DROP_GUARD, [])
    return null
  })
}

/**
 * Records that the closed target has no resources that the source lacks, and follows it. Throws an ImportError
 * if the target was open or compared in between.
 */
export async function markCompared(
  database: Database,
  { id }: Guard,
  source: string,
): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.execute(LOCK_GUARD, [true])
    if ((await readGuard(transaction))?.id !== id) {
      throw new ImportError(
        'another process has opened or compared the target during the comparison: repeat --follow',
      )
    }
    await mark(transaction, source)
  })
}

async function mark(transaction: Database, source: string): Promise<void> {
  await transaction.execute(SET_SOURCE, [source])
  await transaction.execute(MARK_COMPARED, [])
}

/**
 * Lets a transaction of a follower write, whose pass began under the guard with this id. Throws an
 * ImportError if another process has opened the target or begun to finish the import.
 */
export async function writeAsFollower(transaction: Database, guardId: string): Promise<void> {
  await transaction.execute(LOCK_GUARD, [false])
  const guard = await readGuard(transaction)
  if (guard === null || guard.source === null) {
    throw new ImportError('the import is finished: the target has other writers now')
  }
  if (guard.id !== guardId) {
    throw new ImportError('another process finishes the import: repeat --follow if it cannot')
  }
  await transaction.execute(PASS_GUARD, [])
}
