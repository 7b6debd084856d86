import type { StoredObject } from './stored-object.ts'

/** JSON texts of an object as PostgreSQL returns them. */
interface StoredText {
  readonly body: string
  readonly managedFields: string
}

const TEXTS = new WeakMap<StoredObject, StoredText>()

/** Remembers the texts of an object. A copy of the object with other content has none. */
export function setStoredText(object: StoredObject, text: StoredText): void {
  TEXTS.set(object, text)
}

/** The texts of an object that a list has read and nothing has replaced; null if unknown. */
export function storedTextOf(object: StoredObject): StoredText | null {
  return TEXTS.get(object) ?? null
}
