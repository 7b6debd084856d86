import { type JsonObject, type JsonValue, listOf, objectOf, optionalText, textOf } from 'flotilla'

/** The source of the value of an environment variable. */
export type EnvSource =
  | { readonly type: 'value'; readonly value: string }
  | {
      readonly type: 'secret' | 'configMap'
      readonly name: string
      readonly key: string
      /** Whether the variable is left out if the object or its key does not exist. */
      readonly optional: boolean
    }
  | { readonly type: 'field'; readonly path: string }
  /** Another source, such as resourceFieldRef. The variable is left out. */
  | { readonly type: 'unsupported' }

/** An environment variable. */
export interface EnvEntry {
  readonly name: string
  readonly source: EnvSource
}

/** Reads stored environment variables. */
export function envEntriesOf(value: JsonValue | undefined): readonly EnvEntry[] {
  return listOf(value).map((each) => {
    const entry = objectOf(each)
    return { name: textOf(entry['name']), source: sourceOf(entry) }
  })
}

function sourceOf({ value, valueFrom }: JsonObject): EnvSource {
  if (valueFrom === undefined) return { type: 'value', value: textOf(value) }
  const { secretKeyRef, configMapKeyRef, fieldRef } = objectOf(valueFrom)
  if (secretKeyRef !== undefined) return { type: 'secret', ...keyOf(objectOf(secretKeyRef)) }
  if (configMapKeyRef !== undefined) {
    return { type: 'configMap', ...keyOf(objectOf(configMapKeyRef)) }
  }
  const path = optionalText(objectOf(fieldRef)['fieldPath'])
  return path === null ? { type: 'unsupported' } : { type: 'field', path }
}

function keyOf({ name, key, optional }: JsonObject) {
  return { name: textOf(name), key: textOf(key), optional: optional === true }
}
