import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../../../lib/json/json.ts'
import type { Log } from '../../../lib/log/log.ts'
import { pause } from '../../../lib/async/pause.ts'
import { hasOtherConfiguration } from '../../servers/has-other-configuration.ts'
import { sendServerHeartbeat, type OtherServer } from '../../servers/server-heartbeat.ts'
import type { Database } from '../../database/database.ts'
import {
  registerServer,
  type ServerRecord,
  unregisterServer,
} from '../../servers/register-server.ts'
import {
  type Difference,
  differencesBetween,
  fingerprintOf,
  type SharedConfiguration,
} from './shared-configuration.ts'

const HEARTBEAT_MS = 3000

interface Options {
  readonly database: Database
  readonly host: string
  readonly configuration: SharedConfiguration
  /** The rate of reports that this server accepts, for the overview. */
  readonly reportsPerSecond: () => number
  /** Receives the configurations of other live servers that differ from this one, at each heartbeat. */
  readonly onHeartbeat?: (others: readonly JsonObject[]) => Promise<void>
  readonly log: Log
}

/** A live server with another configuration. */
interface Mismatch extends Omit<OtherServer, 'configuration'> {
  readonly differences: readonly Difference[]
}

/** The registration of this server among the live servers of its database. */
export interface Membership extends AsyncDisposable {
  /** The number of live servers with another configuration. */
  mismatches(): number
  /** The configuration fields that differ from those of live servers, sorted. */
  differingMembers(): readonly string[]
  /**
   * Whether a heartbeat found no older server with another configuration. Stays true afterwards, so
   * that a server that serves does not stop because another one returns.
   */
  isAdmitted(): boolean
  /** Asks the database whether a live server has another configuration at present. */
  hasOtherConfiguration(): Promise<boolean>
}

/**
 * Registers the server and resolves after its first heartbeat. Disposing unregisters it. While the
 * database rejects writes, each heartbeat retries and the server serves reads.
 */
export async function joinServers(options: Options): Promise<Membership> {
  const { host, configuration } = options
  const fingerprint = fingerprintOf(configuration)
  const member = new Member(options, { id: randomUUID(), host, fingerprint, configuration })
  await member.beat()
  member.start()
  return member
}

class Member implements Membership {
  readonly #options: Options
  readonly #server: ServerRecord
  /** From the database's clock; null until the server is registered. */
  #startedTime: string | null = null
  readonly #stopped = new AbortController()
  #ended: Promise<void> = Promise.resolve()
  #mismatches: readonly Mismatch[] = []
  #admitted = false
  /** The last logged mismatches, so that only changes are logged. */
  #logged = ''
  #failing = false

  constructor(options: Options, server: ServerRecord) {
    this.#options = options
    this.#server = server
  }

  mismatches(): number {
    return this.#mismatches.length
  }

  differingMembers(): readonly string[] {
    const members = this.#mismatches.flatMap(({ differences }) =>
      differences.map(({ member }) => member),
    )
    return [...new Set(members)].toSorted()
  }

  isAdmitted(): boolean {
    return this.#admitted
  }

  hasOtherConfiguration(): Promise<boolean> {
    return hasOtherConfiguration(this.#options.database, this.#server.fingerprint)
  }

  start(): void {
    this.#ended = this.#work()
  }

  /** Never rejects: readiness reports an unavailable or read-only database. */
  async beat(): Promise<void> {
    const { database, configuration, log } = this.#options
    try {
      this.#startedTime ??= await registerServer(database, this.#server)
      const startedTime = this.#startedTime
      const reportsPerSecond = this.#options.reportsPerSecond()
      const heartbeat = { startedTime, reportsPerSecond }
      const others = await sendServerHeartbeat(database, this.#server, heartbeat)
      this.#mismatches = others
        .map(({ configuration: theirs, ...other }) => ({
          ...other,
          differences: differencesBetween(configuration, theirs),
        }))
        .filter(({ differences }) => differences.length > 0)
      this.#admitted ||= !this.#mismatches.some(({ isOlder }) => isOlder)
      await this.#options.onHeartbeat?.(others.map((other) => other.configuration))
      this.#failing = false
      this.#logChange()
    } catch (error) {
      if (!this.#failing) log.warn({ err: error }, 'the heartbeat of this server failed')
      this.#failing = true
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped.abort()
    await this.#ended
    // If the database is unavailable, the row expires.
    await unregisterServer(this.#options.database, this.#server.id).catch(() => undefined)
  }

  async #work(): Promise<void> {
    const { signal } = this.#stopped
    for (;;) {
      await pause(HEARTBEAT_MS, signal)
      if (signal.aborted) return
      await this.beat()
    }
  }

  #logChange(): void {
    const { log } = this.#options
    const text = JSON.stringify(this.#mismatches)
    if (text === this.#logged || (this.#logged === '' && this.#mismatches.length === 0)) return
    this.#logged = text
    if (this.#mismatches.length === 0) {
      log.info({}, 'all servers of this database have the same configuration')
      return
    }
    log.warn(
      { server_id: this.#server.id, servers: this.#mismatches.map(loggedServer) },
      `servers of this database differ in ${this.differingMembers().join(', ')}`,
    )
  }
}

function loggedServer({ id, host, isOlder, differences }: Mismatch): object {
  return { id, host, is_older: isOlder, differences }
}
