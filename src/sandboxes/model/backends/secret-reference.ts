import { type JsonValue, objectOf, textOf } from 'flotilla'

/** A Secret with the credentials of a store. */
export interface SecretReference {
  readonly namespace: string
  readonly name: string
}

/** Reads a stored reference; null if it is absent. */
export function secretReferenceOf(value: JsonValue | undefined): SecretReference | null {
  const { namespace, name } = objectOf(value)
  return textOf(name) === '' ? null : { namespace: textOf(namespace), name: textOf(name) }
}
