import type { Format } from './formats.ts'
import { json } from './json.ts'

/** A value in a machine-readable format, as it is printed by `-o json`, `yaml` or `jsonpath`. */
export async function objectText(
  format: Extract<Format, { readonly name: 'json' | 'yaml' | 'jsonpath' }>,
  value: unknown,
): Promise<string> {
  switch (format.name) {
    case 'json':
      return json(value)
    case 'yaml': {
      const { stringify } = await import('yaml')
      return stringify(value, { lineWidth: 0 })
    }
    case 'jsonpath': {
      const { jsonpath } = await import('./jsonpath.ts')
      return jsonpath(format.template, value)
    }
  }
}
