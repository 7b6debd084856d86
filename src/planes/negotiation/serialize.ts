import { jsonText } from '../../lib/json/json-text.ts'
import type { JsonValue } from '../../lib/json/json.ts'
import { stepsInTurns } from '../../lib/async/steps.ts'
import type { Representation } from './negotiate.ts'
import { yamlInSteps } from './to-yaml.ts'

/** A body and the value of its Content-Type header. */
export interface SerializedBody {
  readonly contentType: string
  readonly text: string
}

/** Serializes a response in the encoding that the request accepts. */
export async function serialize(
  value: JsonValue,
  encoding: Representation['encoding'],
): Promise<SerializedBody> {
  return encoding === 'yaml'
    ? { contentType: 'application/yaml', text: await stepsInTurns(yamlInSteps(value)) }
    : { contentType: 'application/json', text: jsonText(value) }
}
