import type { FoundationConfig, FoundationValues } from '../capability/foundation-settings.ts'
import type { ValuesOf } from '../lib/settings/read-settings.ts'
import { retainedChanges } from '../store/feed/feed-settings.ts'
import {
  commaList,
  type Setting,
  readDuration,
  readInteger,
  retired,
} from '../lib/settings/setting.ts'

/** The settings of planes. */
export const PLANE_SETTINGS = {
  planeBodyLimitBytes: retired({
    env: 'PLANE_BODY_LIMIT_BYTES',
    doc: 'a request body in planes may have 3 MiB, as in Kubernetes',
    read: (value) => readInteger(value, { min: 1024, max: 67_108_864 }),
  }),
  webhookAllowedHosts: commaList({
    env: 'WEBHOOK_ALLOWED_HOSTS',
    shared: true,
    default: [],
    doc: 'Servers that planes may call for webhooks and APIServices: names (`hooks.example.com`, `*.example.com`, `*`) and addresses or networks (`10.0.0.0/8`). A name that resolves to a private address is allowed only if the address is listed too. A name or address after `http://` may be called without TLS. If unset, planes call no servers.',
  }),
  planeCacheBytes: retired({
    env: 'PLANE_CACHE_BYTES',
    doc: 'the configuration of planes has a quarter of CACHE_BYTES',
    read: (value) => readInteger(value, { min: 0 }),
  }),
  planeFeedRetention: retired({
    env: 'PLANE_FEED_RETENTION',
    doc: 'FEED_RETENTION applies to planes',
    read: readDuration,
  }),
  planeFeedRetentionChanges: retired({
    env: 'PLANE_FEED_RETENTION_CHANGES',
    doc: 'the log of a plane may have a tenth of the changes of the log of resources',
    read: (value) => readInteger(value, { min: 1000 }),
  }),
  planeWatchMinTimeout: retired({
    env: 'PLANE_WATCH_MIN_TIMEOUT',
    doc: 'it is half of max-age of WATCHES',
    read: readDuration,
  }),
} as const satisfies Record<string, Setting<unknown>>

/** Values that follow from the settings of the foundation. */
export function derivePlanes(values: FoundationValues & ValuesOf<typeof PLANE_SETTINGS>) {
  return {
    /** Maximum size of a request body in planes. */
    planeBodyLimitBytes: values.planeBodyLimitBytes ?? 3_145_728,
    /** Memory for the configuration of planes. */
    planeCacheBytes: values.planeCacheBytes ?? Math.floor(values.cacheBytes / 4),
    /** Retention of the changes of planes, in seconds. */
    planeFeedRetention: values.planeFeedRetention ?? values.feedRetention,
    /** Maximum number of changes that stay available for each plane. */
    planeFeedRetentionChanges:
      values.planeFeedRetentionChanges ?? Math.max(1000, Math.floor(retainedChanges(values) / 10)),
    /** Watches of planes end at a random time between this and twice this, in seconds. */
    planeWatchMinTimeout:
      values.planeWatchMinTimeout ?? Math.max(1, Math.floor(values.watchMaxAge / 2)),
  }
}

/** The configuration of planes. */
export type PlaneConfig = FoundationConfig &
  ValuesOf<typeof PLANE_SETTINGS> &
  ReturnType<typeof derivePlanes>
