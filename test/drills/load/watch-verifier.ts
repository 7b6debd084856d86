import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '../../../src/lib/error-code.ts'
import { CLUSTERS } from './cluster-writes.ts'
import type { EventHistory } from './event-history.ts'
import type { LoadClient } from './load-client.ts'

const PAUSE_MS = 100

/** How the connections of a watch ended. */
export interface WatchConnections {
  opened: number
  /** The server ended the response. */
  ended: number
  /** The connection broke or was silent for too long. */
  broken: number
  /** No connection, or a response other than 200. */
  rejected: number
  /** The resource version was gone (410): the client had to list again. */
  resets: number
}

interface WatchedCluster {
  readonly name: string
  readonly generation: number
  /** The generation and the status. */
  readonly state: string
}

interface Options {
  readonly client: LoadClient
  readonly history: EventHistory
  /** Only clusters whose names begin with this are watched. */
  readonly prefix: string
  /** The watch resumes on another connection after this time without a line. */
  readonly silenceMs: number
  readonly signal: AbortSignal
}

interface Event {
  readonly type: string
  readonly object: {
    readonly id: string
    readonly name: string
    readonly generation: number
    readonly deleted_time?: string
    readonly status?: unknown
    readonly spec: { readonly counter: number }
  }
  readonly resource_version: string
}

/**
 * Watches the clusters of a load as a correct client does: it resumes with the last resource
 * version, and starts again after 410. Verifies the order and the completeness of the events.
 */
export class WatchVerifier {
  /** Live clusters by ID, according to the events. */
  readonly clusters = new Map<string, WatchedCluster>()
  readonly connections: WatchConnections = {
    opened: 0,
    ended: 0,
    broken: 0,
    rejected: 0,
    resets: 0,
  }
  /** Events that a correct server does not send. */
  readonly violations: string[] = []
  events = 0
  #resourceVersion = ''
  /** Whether the existing objects are complete. */
  #isSynced = false
  readonly #options: Options
  readonly #running: Promise<void>

  constructor(options: Options) {
    this.#options = options
    this.#running = this.#run()
  }

  get resourceVersion(): string {
    return this.#resourceVersion
  }

  get isSynced(): boolean {
    return this.#isSynced
  }

  /** Resolves after the signal is aborted and the last connection is closed. */
  stopped(): Promise<void> {
    return this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#options
    while (!signal.aborted) {
      const isOpened = await this.#connect()
      if (!isOpened) await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  /** Follows one connection to its end. Returns whether the server sent events. */
  async #connect(): Promise<boolean> {
    const { client, prefix, signal, silenceMs } = this.#options
    const connection = new AbortController()
    const abort = (): void => connection.abort()
    signal.addEventListener('abort', abort)
    const timer = setTimeout(abort, silenceMs)
    const search = encodeURIComponent(`name like '${prefix}-%'`)
    const from = this.#isSynced ? `&resourceVersion=${this.#resourceVersion}` : ''
    try {
      const path = `${CLUSTERS}?watch=true&search=${search}${from}`
      const response = await client.open(path, connection.signal)
      if (response.statusCode !== 200) {
        response.destroy()
        this.connections.rejected += 1
        if (response.statusCode === 410) this.#reset()
        return false
      }
      this.connections.opened += 1
      if (!this.#isSynced) this.clusters.clear()
      for await (const line of createInterface({ input: response })) {
        timer.refresh()
        this.#handle(JSON.parse(line))
      }
      if (response.complete) this.connections.ended += 1
      else if (!signal.aborted) this.connections.broken += 1
      return true
    } catch (error) {
      if (signal.aborted) return true
      if (errorCode(error) === 'ECONNREFUSED') this.connections.rejected += 1
      else this.connections.broken += 1
      return false
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    }
  }

  #reset(): void {
    this.connections.resets += 1
    this.#isSynced = false
    this.#resourceVersion = ''
  }

  #join(version: string): void {
    const states = new Map([...this.clusters].map(([id, { state }]) => [id, state]))
    this.#options.history.join(this, { version, states })
  }

  #handle(event: Event): void {
    const { type, object, resource_version: version } = event
    if (type === 'ERROR') {
      this.#reset()
      return
    }
    if (type === 'BOOKMARK') {
      if (!this.#isSynced) this.#join(version)
      else if (revisionOf(version) < revisionOf(this.#resourceVersion)) {
        this.violations.push(`BOOKMARK ${version} after ${this.#resourceVersion}`)
      }
      this.#isSynced = true
      this.#resourceVersion = version
      return
    }
    this.events += 1
    if (version === '') {
      if (this.#isSynced) this.violations.push(`${type} ${object.name} without a version`)
      this.clusters.set(object.id, watched(object))
      return
    }
    if (revisionOf(version) <= revisionOf(this.#resourceVersion)) {
      this.violations.push(`${type} ${object.name} ${version} after ${this.#resourceVersion}`)
    }
    this.#resourceVersion = version
    const { id, name } = object
    const cluster = watched(object)
    const recorded = { type, id, state: cluster.state }
    const difference = this.#options.history.record(this, version, recorded)
    if (difference !== null) this.violations.push(difference)
    // A list can be newer than its resource version, so after a reset events may repeat it.
    const problem = this.connections.resets > 0 ? null : problemOf(event, this.clusters.get(id))
    if (problem !== null) this.violations.push(`${version} ${type} ${name}: ${problem}`)
    if (type === 'DELETED') this.clusters.delete(id)
    else this.clusters.set(id, cluster)
  }
}

function watched({ name, generation, status = null }: Event['object']): WatchedCluster {
  // Older versions write milliseconds with three digits.
  const text = JSON.stringify(status).replaceAll(/(\.\d{3})Z"/g, '$1000Z"')
  return { name, generation, state: `${generation} ${text}` }
}

/** Compares an event with the cluster before it. */
function problemOf({ type, object }: Event, before: WatchedCluster | undefined): string | null {
  const { generation, spec, deleted_time: deletedTime } = object
  if (type === 'DELETED') return before === undefined ? 'the cluster was unknown' : null
  if (deletedTime === undefined && spec.counter !== generation) {
    return `counter ${spec.counter} at generation ${generation}`
  }
  if (type === 'ADDED') {
    if (before !== undefined) return 'the cluster was known'
    return generation === 1 ? null : `the first generation is ${generation}`
  }
  if (before === undefined) return 'the cluster was unknown'
  const isNext = generation === before.generation || generation === before.generation + 1
  return isNext ? null : `generation ${generation} after ${before.generation}`
}

/** Resource versions have the form `epoch.revision`. Versions of another epoch compare as 0. */
function revisionOf(version: string): number {
  return Number(version.slice(version.indexOf('.') + 1))
}
