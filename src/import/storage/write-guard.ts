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
      raise exception using errcode = '40T02', message = 'an import follows its source';
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
    select case when $1::boolean then pg_advisory_xact_lock(7305188031)
      else pg_advisory_xact_lock_shared(7305188031) end`,
}

const IS_GUARDED = {
  name: 'is_import_guarded',
  text: `select to_regproc('require_import') is not null as guarded`,
}

/** A comment of the guard lives as long as the guard. */
const MARK_COMPARED = {
  name: 'mark_import_compared',
  text: `comment on function require_import() is 'compared'`,
}

const IS_COMPARED = {
  name: 'is_import_compared',
  text: `
    select coalesce(obj_description(to_regproc('require_import'), 'pg_proc') = 'compared', false)
      as compared`,
}

const PASS_GUARD = {
  name: 'pass_import_guard',
  text: `select set_config('flotilla.imports', 'true', true)`,
}

/** From now on, only imports write resources and reports. Writes by servers are 409. */
export async function closeForWrites(database: Database): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.execute(LOCK_GUARD, [true])
    await transaction.execute(CREATE_GUARD, [])
    for (const statement of CREATE_TRIGGERS) await transaction.execute(statement, [])
  })
}

/** Servers may write again. */
export async function openForWrites(database: Database): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.execute(LOCK_GUARD, [true])
    await transaction.execute(DROP_GUARD, [])
  })
}

/** Whether an import follows its source. */
export async function isClosedForWrites(database: Database): Promise<boolean> {
  const [row] = await database.execute<{ guarded: boolean }>(IS_GUARDED, [])
  return row?.guarded === true
}

/** Records that the closed target has no resources that the source lacks. */
export async function markCompared(database: Database): Promise<void> {
  await database.execute(MARK_COMPARED, [])
}

/** Whether an import follows its source, and may remove what the source lacks. */
export async function isCompared(database: Database): Promise<boolean> {
  const [row] = await database.execute<{ compared: boolean }>(IS_COMPARED, [])
  return row?.compared === true
}

/** Lets a transaction of a follower write. Throws an ImportError if another process has finished the import. */
export async function writeAsFollower(transaction: Database): Promise<void> {
  await transaction.execute(LOCK_GUARD, [false])
  if (!(await isClosedForWrites(transaction))) {
    throw new ImportError('the import is finished: the target has other writers now')
  }
  await transaction.execute(PASS_GUARD, [])
}
