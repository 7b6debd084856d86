import type { Capability } from '../capability/capability.ts'
import { CAPABILITIES } from './capabilities.ts'
import type { Setting } from '../lib/settings/setting.ts'
import type { Config } from './config.ts'
import { rowsOf } from './settings.ts'
import { MICROSECOND_TIMES } from '../store/operations/servers/microsecond-switch.ts'
import type { JsonObject, JsonValue } from '../lib/json/json.ts'

/**
 * The settings that all servers of a database must share, by the names of their variables, and the
 * formats in the database that older versions cannot read. Servers do not compare members that only
 * one of them has, but notice that a server without the member differs.
 */
export function sharedSettings(
  config: Config,
  capabilities: readonly Capability[] = CAPABILITIES,
): JsonObject {
  const rows = Object.entries(rowsOf(capabilities))
  const values = new Map<string, unknown>(Object.entries(config))
  const settings = Object.fromEntries(
    rows
      .filter(([, { shared }]) => shared === true)
      .map(([name, setting]) => [keyOf(setting), jsonOf(values.get(name))]),
  )
  const formats = capabilities.map((capability) => capability.formats?.(config))
  return Object.assign(settings, MICROSECOND_TIMES, ...formats)
}

/** The name of the last version, so that two versions compare the value. */
function keyOf({ former, env, member }: Setting<unknown>): string {
  return former ?? (member === undefined ? env : `${env}: ${member}`)
}

function jsonOf(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value, comparable))
}

/** Omits the location of keys: it can differ between machines, and its address can contain a secret. */
function comparable(name: string, member: unknown): unknown {
  if (name === 'keysFrom') return undefined
  return member instanceof RegExp ? member.source : member
}
