import { setTimeout as sleep } from 'node:timers/promises'
import { openClient } from '../../src/store/database/connection/open-client.ts'
import type { Program } from '../process/program.ts'

const LOCK = 6220114

/** A moment in the transaction that writes a row: its statement, or the commit. */
export interface BlockedRow {
  readonly table: 'resources' | 'adapter_statuses'
  /** The id of the resource. */
  readonly id: string
  readonly at: 'statement' | 'commit'
}

/** Stops the transaction that inserts a row at one moment. */
interface Block extends AsyncDisposable {
  /** Resolves when the transaction is there; rejects if its program ends before. */
  readonly reached: (program: Program) => Promise<void>
}

/** Disposing lets the transaction continue, and waits for its end. */
export async function blockRow(url: string, { table, id, at }: BlockedRow): Promise<Block> {
  const client = await openClient(url)
  const column = table === 'resources' ? 'id' : 'resource_id'
  const isDeferred = at === 'commit'
  await client.query(`
    create function block_row() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(${LOCK});
      return null;
    end
    $$;
    create ${isDeferred ? 'constraint' : ''} trigger block_row after insert on ${table}
      ${isDeferred ? 'deferrable initially deferred' : ''}
      for each row when (new.${column} = '${id}') execute function block_row();
    select pg_advisory_lock(${LOCK})`)
  return {
    reached: async (program) => {
      const waiting = `select 1 from pg_locks where objid = ${LOCK} and not granted`
      const hasEnded = program.exited.then(() => true)
      while ((await client.query(waiting)).rows.length === 0) {
        if (!(await Promise.race([hasEnded, sleep(20, false)]))) continue
        throw new Error(`the program ended: ${program.output()}${program.errors()}`)
      }
    },
    [Symbol.asyncDispose]: async () => {
      try {
        // Waits for locks of the transaction.
        await client.query(`select pg_advisory_unlock(${LOCK}); drop function block_row cascade`)
      } finally {
        await client[Symbol.asyncDispose]()
      }
    },
  }
}
