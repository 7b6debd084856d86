import { FlotillaError } from '../../lib/errors.ts'
import { pause } from '../../lib/async/pause.ts'
import { errorMessage } from '../../lib/error-message.ts'
import { sharedAbort } from '../../lib/async/shared-abort.ts'
import { unlessAborted } from '../../lib/async/unless-aborted.ts'
import { checkServer } from '../database/check-server.ts'
import type { Database } from '../database/database.ts'
import {
  codesOf,
  isPoolBusy,
  isSerializationFailure,
  isStatementTimeout,
  translateDatabaseError,
} from '../database/translate-database-error.ts'
import type { Position } from './position.ts'
import { openProbe } from './probe.ts'
import { readInSnapshot } from './read-in-snapshot.ts'

/** How long a known position counts as current. */
const POSITION_VALID_MS = 50

const UNDEFINED_TABLE = '42P01'

/** The outcome of a read that a replica was asked for. */
export type ReadOutcome = 'served' | 'behind' | 'failed'

/** The state that a read needs. */
export interface Requirement {
  /** The epoch of the log of changes; null for any that the primary has. */
  readonly epoch: string | null
  /** The oldest revision; 0 for any. */
  readonly revision: bigint
}

export interface ReplicaOptions {
  /** Names the replica in metrics and logs. */
  readonly name: string
  readonly database: Database
  /** Time between two probes. */
  readonly intervalMs: number
  /** A replica that does not answer a probe for this long is taken out of use. */
  readonly timeoutMs: number
  /** Resolves when positions can be compared with the primary. The first probe waits for it. */
  readonly primaryKnown: Promise<void>
  /** Why the state at a position must not be served; null if it has the primary's logs and is recent. */
  readonly rejection: (position: Position) => string | null
  readonly onRead: (outcome: ReadOutcome) => void
  /** Called when reads can use the replica with null, else with the reason. */
  readonly onChange: (problem: string | null) => void
}

/** A result and the position of the snapshot that it was read in. */
export interface SnapshotRead<T> {
  readonly value: T
  readonly position: Position
}

/** A replica of the database, which is probed all the time and serves reads while it responds. */
export interface Replica extends AsyncDisposable {
  readonly name: string
  readonly isUp: boolean
  /** The last known position; null before the first one. */
  readonly position: Position | null
  /** Whether the replica may have reached a revision. */
  mayHave(required: Requirement): boolean
  /**
   * Runs work in a snapshot that meets the requirement. Null if the replica is behind or fails: the
   * primary must serve the read. Work returns null if the snapshot is too old for it.
   */
  read<T extends object>(
    required: Requirement,
    work: (snapshot: Database) => Promise<T | null>,
  ): Promise<SnapshotRead<T> | null>
}

/** Starts to probe a replica. */
export function startReplica(options: ReplicaOptions): Replica {
  return new ProbedReplica(options)
}

class ProbedReplica implements Replica {
  readonly #options: ReplicaOptions
  readonly #stopped = new AbortController()
  readonly #ended: Promise<void>
  /** Aborted when the replica goes down: reads in flight then use the primary. Null while down. */
  #up: AbortController | null = null
  /** The last state that was reported. */
  #reported: 'up' | 'down' | null = null
  #position: Position | null = null
  #positionTime = -Infinity

  constructor(options: ReplicaOptions) {
    this.#options = options
    this.#ended = this.#probe()
  }

  get name(): string {
    return this.#options.name
  }

  get isUp(): boolean {
    return this.#up !== null
  }

  get position(): Position | null {
    return this.#position
  }

  mayHave(required: Requirement): boolean {
    if (this.#position !== null && reaches(this.#position, required)) return true
    return performance.now() - this.#positionTime > POSITION_VALID_MS
  }

  async read<T extends object>(
    required: Requirement,
    work: (snapshot: Database) => Promise<T | null>,
  ): Promise<SnapshotRead<T> | null> {
    const { database, rejection, onRead } = this.#options
    if (this.#up === null) return null
    const { signal } = this.#up
    const meets = (position: Position): boolean => {
      this.#seen(position)
      return reaches(position, required) && rejection(position) === null
    }
    try {
      const read = await unlessAborted(readInSnapshot(database, meets, work), signal)
      onRead(read === null ? 'behind' : 'served')
      return read
    } catch (error) {
      if (isRejection(error)) {
        onRead('served')
        throw error
      }
      onRead('failed')
      if (isBroken(error)) this.#fail(error)
      return null
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped.abort()
    this.#up?.abort(new FlotillaError('unavailable', 'The server is stopping'))
    await this.#ended
    await this.#options.database[Symbol.asyncDispose]()
  }

  async #probe(): Promise<void> {
    const { signal } = this.#stopped
    const { database, intervalMs, timeoutMs, primaryKnown } = this.#options
    await unlessAborted(primaryKnown, signal).catch(() => undefined)
    while (!signal.aborted) {
      try {
        const problems = await checkServer(database)
        if (problems.length > 0) throw new Error(problems.join('; '))
        await using probe = await openProbe(database.connection.url, timeoutMs)
        while (!signal.aborted) {
          this.#check(await probe.position())
          await pause(intervalMs, signal)
        }
      } catch (error) {
        if (!signal.aborted) this.#fail(error)
      }
      await pause(intervalMs, signal)
    }
  }

  #check(position: Position): void {
    this.#seen(position)
    const problem = this.#options.rejection(position)
    if (problem !== null) {
      this.#takeOut(problem)
      return
    }
    this.#up ??= sharedAbort()
    this.#report(null)
  }

  #seen(position: Position): void {
    this.#position = position
    this.#positionTime = performance.now()
  }

  #fail(error: unknown): void {
    const isForeign = codesOf(error).includes(UNDEFINED_TABLE)
    this.#takeOut(isForeign ? 'it has no tables of Flotilla' : errorMessage(error))
  }

  #takeOut(problem: string): void {
    const up = this.#up
    this.#up = null
    up?.abort(new FlotillaError('unavailable', `A replica was taken out of use: ${problem}`))
    this.#report(problem)
  }

  #report(problem: string | null): void {
    const state = problem === null ? 'up' : 'down'
    if (state === this.#reported) return
    this.#reported = state
    this.#options.onChange(problem)
  }
}

function reaches(position: Position, { epoch, revision }: Requirement): boolean {
  return (epoch === null || position.epoch === epoch) && position.revision >= revision
}

/** Whether the primary would reject the request too. */
function isRejection(error: unknown): boolean {
  return error instanceof FlotillaError && !PRIMARY_DECIDES.has(error.reason)
}

/** Failures of a replica that the primary may not have: it knows newer resources. */
const PRIMARY_DECIDES: ReadonlySet<string> = new Set(['not-found', 'unavailable', 'timeout'])

/** Whether a failure shows that the replica cannot be used. Others concern one read. */
function isBroken(error: unknown): boolean {
  if (isSerializationFailure(error) || isStatementTimeout(error) || isPoolBusy(error)) return false
  const translated = translateDatabaseError(error)
  return translated instanceof FlotillaError && translated.reason === 'unavailable'
}
