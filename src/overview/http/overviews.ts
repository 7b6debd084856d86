import type { Clock } from '../../lib/clock.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import type { Feed } from '../../store/feed/feed.ts'
import { formatResourceVersion } from '../../store/feed/resource-version.ts'
import type { TenantScope } from '../../access/tenant.ts'
import { combineReports } from '../../history/combine-reports.ts'
import type { FleetCounts } from '../fleet-counts.ts'
import type { RegisteredKind } from '../../store/registry/kind.ts'
import { readRecentChanges } from '../../store/changes/read-recent-changes.ts'
import type { Database } from '../../store/database/database.ts'
import { type OverviewMinute, readMinutes } from '../storage/read-minutes.ts'
import type { ConditionFamily } from '../../hyperfleet/statuses/conditions/condition-family.ts'
import { conditionType } from '../../hyperfleet/statuses/conditions/condition-type.ts'
import { serializeChange } from '../../history/http/change.ts'
import { countKinds } from './count-kinds.ts'
import { type Load, ServerLoad } from './server-load.ts'
import { OverviewText } from './overview-text.ts'

/** How often viewers receive changes. */
const INTERVAL_MS = 1000
const MAX_RECENT = 50
const MINUTE_MS = 60_000
/** How long after the end of a minute its record is read. */
const RECORD_DELAY_MS = 3000

/** The resources that an overview covers. */
export interface OverviewScope {
  readonly tenant: TenantScope
  readonly kinds: readonly RegisteredKind[]
}

/** Receives the overview when it changes. Must not throw. */
export type Viewer = (overview: OverviewText) => void

interface Options {
  readonly database: Database
  readonly feed: Feed
  readonly counts: FleetCounts
  readonly family: ConditionFamily
  readonly clock: Clock
  /** An update of the viewers has failed; it is tried again. */
  readonly onError: (error: unknown) => void
}

/** An overview without its time. */
interface Content {
  readonly content: JsonObject
  readonly resourceVersion: string
}

/** A scope with viewers, and the state that they share. */
interface Channel {
  readonly scope: OverviewScope
  /** The last overview that each viewer received. */
  readonly viewers: Map<Viewer, OverviewText | null>
  /** Identifies everything that the latest overview depends on. */
  inputs: string
  latest: OverviewText | null
  minutes: { readonly minute: number; readonly items: readonly JsonObject[] } | null
}

/**
 * The overviews of all scopes. Viewers with the same scope share everything: the server computes
 * each overview once per second at most, and only if something has changed.
 */
export class Overviews implements Disposable {
  readonly #options: Options
  readonly #load: ServerLoad
  readonly #channels = new Map<string, Channel>()
  #timer: NodeJS.Timeout | null = null
  #isUpdating = false

  constructor(options: Options) {
    this.#options = options
    this.#load = new ServerLoad(options)
  }

  /** Reads the overview of a scope. */
  async read(scope: OverviewScope): Promise<JsonObject> {
    const load = await this.#load.read()
    return this.#withTime((await this.#contentOf(newChannel(scope), load)).content)
  }

  /** Sends the overview to a viewer, first immediately and then after changes, until disposed. */
  async join(scope: OverviewScope, viewer: Viewer): Promise<Disposable> {
    const key = JSON.stringify([scope.tenant, scope.kinds.map(({ kind }) => kind)])
    const channel = this.#channels.get(key) ?? newChannel(scope)
    this.#channels.set(key, channel)
    channel.viewers.set(viewer, null)
    this.#timer ??= setInterval(() => void this.#updateAll(), INTERVAL_MS).unref()
    const leave = (): void => this.#leave(key, channel, viewer)
    try {
      if (channel.latest === null) await this.#update(channel, await this.#load.read())
      sendLatest(channel)
      return { [Symbol.dispose]: leave }
    } catch (error) {
      leave()
      throw error
    }
  }

  [Symbol.dispose](): void {
    this.#channels.clear()
    this.#stop()
  }

  #leave(key: string, channel: Channel, viewer: Viewer): void {
    channel.viewers.delete(viewer)
    if (channel.viewers.size > 0) return
    if (this.#channels.get(key) === channel) this.#channels.delete(key)
    if (this.#channels.size === 0) this.#stop()
  }

  #stop(): void {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
  }

  /** Never rejects. */
  async #updateAll(): Promise<void> {
    if (this.#isUpdating) return
    this.#isUpdating = true
    try {
      const load = await this.#load.read()
      for (const channel of this.#channels.values()) {
        await this.#update(channel, load)
        sendLatest(channel)
      }
    } catch (error) {
      this.#options.onError(error)
    } finally {
      this.#isUpdating = false
    }
  }

  async #update(channel: Channel, load: Load): Promise<void> {
    const { resourceVersion } = await this.#options.counts.read()
    const version = formatResourceVersion(resourceVersion)
    const inputs = JSON.stringify([version, load, this.#minute()])
    if (inputs === channel.inputs) return
    const { content, resourceVersion: counted } = await this.#contentOf(channel, load)
    channel.inputs = inputs
    channel.latest = new OverviewText(JSON.stringify(this.#withTime(content)), counted)
  }

  #withTime(content: JsonObject): JsonObject {
    return { kind: 'Overview', time: this.#options.clock().toISOString(), ...content }
  }

  async #contentOf(channel: Channel, load: Load): Promise<Content> {
    const { database, counts, family } = this.#options
    const { scope } = channel
    const { tenant } = scope
    const kinds = scope.kinds.map(({ kind }) => kind)
    const history = await this.#minutesOf(channel, kinds)
    const snapshot = await counts.read()
    const { epoch, revision } = snapshot.resourceVersion
    const counted = countKinds({ kinds: scope.kinds, states: snapshot.of(tenant), family })
    const limit = 2 * MAX_RECENT
    const rows = await readRecentChanges(database, { revision, tenant, kinds, limit })
    const recent = combineReports(rows, conditionType).slice(0, MAX_RECENT)
    const resourceVersion = formatResourceVersion(snapshot.resourceVersion)
    const content = {
      resource_version: resourceVersion,
      kinds: counted,
      ...load,
      history,
      recent: recent.map((entry) => serializeChange({ family, epoch }, entry)),
    }
    return { content, resourceVersion }
  }

  #minute(): number {
    return Math.floor((this.#options.clock().getTime() - RECORD_DELAY_MS) / MINUTE_MS)
  }

  /** The history of a channel is read once per minute. */
  async #minutesOf(channel: Channel, kinds: readonly string[]): Promise<readonly JsonObject[]> {
    const minute = this.#minute()
    if (channel.minutes?.minute === minute) return channel.minutes.items
    const { tenant } = channel.scope
    const items = (await readMinutes(this.#options.database, tenant, kinds)).map(minuteJson)
    channel.minutes = { minute, items }
    return items
  }
}

function newChannel(scope: OverviewScope): Channel {
  return { scope, viewers: new Map(), inputs: '', latest: null, minutes: null }
}

/** Sends the latest overview to the viewers that do not have it. */
function sendLatest({ latest, viewers }: Channel): void {
  if (latest === null) return
  for (const [viewer, received] of viewers) {
    if (received === latest) continue
    viewers.set(viewer, latest)
    viewer(latest)
  }
}

function minuteJson(minute: OverviewMinute): JsonObject {
  return {
    time: minute.minute.toISOString(),
    total: { ...minute.total },
    not_ready: { ...minute.not_ready },
    changes_per_second: Math.round(minute.changes_per_second * 10) / 10,
    reports_per_second: Math.round(minute.reports_per_second * 10) / 10,
  }
}
