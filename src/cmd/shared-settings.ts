import { RETIRED_SETTINGS } from './retired-settings.ts'
import { type Config, SETTINGS } from './settings.ts'
import { MICROSECOND_TIMES } from '../store/operations/servers/microsecond-switch.ts'
import type { JsonObject, JsonValue } from '../lib/json/json.ts'
import type { Setting } from '../lib/settings/setting.ts'

/**
 * Formats in the database that older versions cannot read. Servers do not compare members that only
 * one of them has, but notice that a server without the member differs.
 */
const FORMATS = { 'webhooks.url': 'encrypted', ...MICROSECOND_TIMES } as const

/** The keys that a server knows, by their ids. Secrets are not sealed with keys that others lack. */
function keysOf({ secretsEncryptionKeys }: Config): JsonObject {
  const ids = secretsEncryptionKeys.map(({ id }) => [`webhooks.url.key.${id}`, 'known'])
  return Object.fromEntries(ids)
}

/** The settings that all servers of a database must share, by the names of their variables. */
export function sharedSettings(config: Config): JsonObject {
  const rows: readonly (readonly [string, Setting<unknown>])[] = Object.entries(SETTINGS)
  const values = new Map<string, unknown>(Object.entries(config))
  const settings = Object.fromEntries(
    rows
      .filter(([, { shared }]) => shared === true)
      .map(([name, { env }]) => [env, jsonOf(values.get(name))]),
  )
  const retired = RETIRED_SETTINGS.flatMap(({ env, shared }) =>
    shared === undefined ? [] : [[env, config[shared]] as const],
  )
  return { ...settings, ...Object.fromEntries(retired), ...FORMATS, ...keysOf(config) }
}

function jsonOf(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value, comparable))
}

/** Omits the location of keys: it can differ between machines, and its address can contain a secret. */
function comparable(name: string, member: unknown): unknown {
  if (name === 'keysFrom') return undefined
  return member instanceof RegExp ? member.source : member
}
