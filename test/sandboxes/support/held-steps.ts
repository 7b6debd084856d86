import pg from 'pg'
import { poll } from './poll.ts'

/**
 * Holds operations of a server between a step's effect and its record: the moment at which a crash
 * loses the most. A trigger of the test's database makes the update that follows the step wait.
 */
export interface HeldSteps extends AsyncDisposable {
  /** Holds the operation of a sandbox after the step before `step` is done. */
  hold(sandbox: string, kind: string, step: string): Promise<void>
  /** Waits until this number of operations is held. */
  waitForHeld(count: number): Promise<void>
  /** Ends the held statements, whose server is dead, and everybody's leases. */
  releaseDead(): Promise<void>
  readonly pool: pg.Pool
}

const TRIGGER = `
  create table held_steps (name text, kind text, step text);
  create function hold_step() returns trigger language plpgsql as $$
  begin
    if exists (select from held_steps
      where name = old.name and kind = old.kind and step = old.step) then
      perform pg_sleep(300);
    end if;
    return new;
  end $$;
  create trigger hold_step before update on sandbox_operations
    for each row when (old.step <> new.step or new.finished_time is not null)
    execute function hold_step();`

const HELD = `
  select pid from pg_stat_activity
  where datname = current_database() and wait_event = 'PgSleep'`

export async function holdSteps(databaseUrl: string): Promise<HeldSteps> {
  const pool = new pg.Pool({ connectionString: databaseUrl })
  await pool.query(TRIGGER)
  return {
    pool,
    hold: async (sandbox, kind, step) => {
      await pool.query('insert into held_steps values ($1, $2, $3)', [sandbox, kind, step])
    },
    waitForHeld: async (count) => {
      await poll(
        'held operations',
        async () => (await pool.query(HELD)).rowCount,
        (held) => held === count,
      )
    },
    releaseDead: async () => {
      await pool.query(`select pg_terminate_backend(pid) from (${HELD}) as held`)
      await pool.query('truncate held_steps')
      await pool.query(`update sandbox_operations set lease_expires_time = now()`)
      await pool.query(`delete from objects where resource = 'leases.coordination.k8s.io'`)
    },
    [Symbol.asyncDispose]: () => pool.end(),
  }
}
