import { encodeTenant } from './tenant.ts'
import { SettingError } from '../lib/setting-error.ts'

/**
 * Reads a tenant from the command line: `org=acme,project=web`, in any order. Values are
 * percent-encoded, because they can contain every printable character.
 */
export function readTenant(text: string): string {
  const dimensions = new Map<string, string>()
  for (const pair of text.split(',')) {
    const [, name = '', encoded = ''] = /^([^=]+)=(.+)$/.exec(pair) ?? []
    const value = decoded(encoded)
    if (value === null || dimensions.has(name)) {
      throw new SettingError(
        `'${text}' is not a tenant: write each of its dimensions once, such as ` +
          'org=acme,project=web, with special characters percent-encoded, such as %2C for a comma',
      )
    }
    dimensions.set(name, value)
  }
  return encodeTenant(Object.fromEntries(dimensions))
}

/** Null if a value is empty or not percent-encoded. */
function decoded(value: string): string | null {
  try {
    return value === '' ? null : decodeURIComponent(value)
  } catch {
    return null
  }
}
