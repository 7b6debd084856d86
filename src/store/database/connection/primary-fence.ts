import type pg from 'pg'
import { FlotillaError } from '../../../lib/errors.ts'
import type { Database, FailoverListener } from '../database.ts'

/** How long other servers are rejected after the last connection to the primary has closed. */
const FORMER_MS = 60_000

/** The timeline is null on a standby. It is not read from the control file, which lags behind. */
const IDENTIFY = `
  select system_identifier::text as system,
    case when not pg_is_in_recovery() then
      ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer end as timeline
  from pg_control_system()`

interface Identity {
  readonly system: string
  readonly timeline: number | null
}

/**
 * Keeps the connections of a pool on one primary. When a connection reaches its successor, the
 * connections to the former primary are closed, because its rows are no longer current.
 */
export interface PrimaryFence {
  /** Identifies the server of a new connection. Rejects if it is a former primary or a standby. */
  admit(client: pg.ClientBase): Promise<void>
  /** Call with each admitted connection of the pool. */
  add(client: pg.PoolClient): void
  remove(client: pg.PoolClient): void
  onFailover(listener: FailoverListener): void
}

interface Options {
  /** Whether connections to a standby are accepted although another one has reached the primary. */
  readonly acceptsStandbys: boolean
  readonly connectionOf: (client: pg.ClientBase) => Database
}

export function createPrimaryFence(options: Options): PrimaryFence {
  return new Fence(options)
}

class Fence implements PrimaryFence {
  readonly #options: Options
  readonly #listeners: FailoverListener[] = []
  readonly #identities = new WeakMap<pg.ClientBase, Identity>()
  readonly #clients = new Set<pg.PoolClient>()
  #primary: Identity | null = null
  /** The last time at which a connection to the primary was opened or closed. */
  #primaryTime = 0
  /** The calls of the listeners for the current primary. */
  #announced: Promise<void> = Promise.resolve()

  constructor(options: Options) {
    this.#options = options
  }

  onFailover(listener: FailoverListener): void {
    this.#listeners.push(listener)
  }

  async admit(client: pg.ClientBase): Promise<void> {
    const { rows } = await client.query<Identity>(IDENTIFY)
    const [identity] = rows
    if (identity === undefined) return
    if (identity.timeline === null) {
      this.#requireNoPrimary(identity)
      return
    }
    this.#identities.set(client, identity)
    if (this.#primary !== null && !isSame(identity, this.#primary)) {
      this.#requireSuccessor(identity, this.#primary)
      this.#failOver(identity, client)
    }
    this.#primary ??= identity
    this.#primaryTime = performance.now()
    await this.#announced
  }

  add(client: pg.PoolClient): void {
    this.#clients.add(client)
    this.#closeIfFormer(client)
  }

  remove(client: pg.PoolClient): void {
    this.#clients.delete(client)
    if (this.#isToPrimary(client)) this.#primaryTime = performance.now()
  }

  /** After a restore, timelines can be assigned again: the rejection ends after some time. */
  #requireSuccessor(identity: Identity, primary: Identity): void {
    if (identity.system !== primary.system || (identity.timeline ?? 0) > (primary.timeline ?? 0)) {
      return
    }
    if (!this.#isPrimaryRecent()) return
    throw new FlotillaError(
      'unavailable',
      'The connection leads to a former primary of the database: try again later',
    )
  }

  /** A standby can be behind the primary, so its rows are not current. */
  #requireNoPrimary({ system }: Identity): void {
    if (this.#options.acceptsStandbys || system !== this.#primary?.system) return
    if (!this.#isPrimaryRecent()) return
    throw new FlotillaError(
      'unavailable',
      'The connection leads to a standby of the database: try again later',
    )
  }

  #isPrimaryRecent(): boolean {
    if ([...this.#clients].some((client) => this.#isToPrimary(client))) return true
    return performance.now() - this.#primaryTime <= FORMER_MS
  }

  #isToPrimary(client: pg.ClientBase): boolean {
    const identity = this.#identities.get(client)
    return identity !== undefined && this.#primary !== null && isSame(identity, this.#primary)
  }

  #failOver(identity: Identity, client: pg.ClientBase): void {
    const former = this.#primary
    this.#primary = identity
    const announced = this.#announce(client)
    this.#announced = announced
    // The next connection announces the primary again.
    announced.catch(() => {
      if (this.#announced !== announced) return
      this.#primary = former
      this.#announced = Promise.resolve()
    })
    for (const other of this.#clients) this.#closeIfFormer(other)
  }

  async #announce(client: pg.ClientBase): Promise<void> {
    const connection = this.#options.connectionOf(client)
    for (const listener of this.#listeners) await listener(connection)
  }

  #closeIfFormer(client: pg.PoolClient): void {
    if (!this.#identities.has(client) || this.#isToPrimary(client)) return
    client.connection.stream.destroy()
  }
}

function isSame(one: Identity, other: Identity): boolean {
  return one.system === other.system && one.timeline === other.timeline
}
