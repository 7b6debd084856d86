import { jsonText } from '../../lib/json/json-text.ts'
import type { JsonValue } from '../../lib/json/json.ts'
import type { Representation } from './negotiate.ts'
import { toYaml } from './to-yaml.ts'

/** A body and the value of its Content-Type header. */
export interface SerializedBody {
  readonly contentType: string
  readonly text: string
}

/** Serializes a response in the encoding that the request accepts. */
export function serialize(value: JsonValue, encoding: Representation['encoding']): SerializedBody {
  return encoding === 'yaml'
    ? { contentType: 'application/yaml', text: toYaml(value) }
    : { contentType: 'application/json', text: jsonText(value) }
}
