import { isJsonObject, type JsonValue } from '../../lib/json/json.ts'
import type { FieldPath } from '../../lib/json/field-path.ts'
import { quoteValue } from '../../lib/json/quote-value.ts'
import { suggest } from '../../lib/text/suggest.ts'

/** Reports a problem of a value in the file. The text continues a sentence that begins with the path. */
export type Report = (path: FieldPath, text: string) => void

/** A value of the file, with its path. */
export interface FileValue {
  readonly value: JsonValue
  readonly path: FieldPath
  readonly report: Report
}

const LONE_SURROGATE = /\p{Surrogate}/u

/** Values that are absent from the file stay undefined, which is not a problem by itself. */
type Maybe<T> = T | undefined

/**
 * The fields of an object, by name. Reports a value that is not an object, unknown fields, and missing
 * required fields.
 */
export function membersOf<Name extends string>(
  source: Maybe<FileValue>,
  names: readonly Name[],
  required: readonly Name[] = [],
): (name: Name) => Maybe<FileValue> {
  if (!source) return () => undefined
  const { value, path, report } = source
  if (!isJsonObject(value)) {
    report(path, `must be an object with ${names.join(', ')}, found ${quoteValue(value)}`)
    return () => undefined
  }
  const known: readonly string[] = names
  for (const name of Object.keys(value).filter((key) => !known.includes(key))) {
    const near = suggest(name, names)
    const hint = near === null ? `use ${names.join(', ')}` : `did you mean ${near}?`
    report([...path, name], `is not a field here: ${hint}`)
  }
  for (const name of required.filter((key) => !Object.hasOwn(value, key))) {
    report([...path, name], 'is missing: add it')
  }
  return (name) => {
    const member = value[name]
    return member === undefined ? undefined : { value: member, path: [...path, name], report }
  }
}

/** Whether an object has the field, usable or not. */
export function isGiven({ value }: FileValue, name: string): boolean {
  return isJsonObject(value) && Object.hasOwn(value, name)
}

/** The items of a list. */
export function itemsOf(source: Maybe<FileValue>): Maybe<readonly FileValue[]> {
  if (!source) return undefined
  const { value, path, report } = source
  if (Array.isArray(value)) {
    return value.map((item: JsonValue, index) => ({ value: item, path: [...path, index], report }))
  }
  report(path, `must be a list, found ${quoteValue(value)}`)
  return undefined
}

/** Text that the database can store. */
export function textOf(source: Maybe<FileValue>): Maybe<string> {
  if (!source) return undefined
  const { value, path, report } = source
  if (typeof value !== 'string') {
    report(path, `must be text, found ${quoteValue(value)}`)
    return undefined
  }
  if (!value.includes('\0') && !LONE_SURROGATE.test(value)) return value
  report(path, 'contains a character that cannot be stored: remove U+0000 and lone surrogates')
  return undefined
}

/** A whole number. */
export function integerOf(source: Maybe<FileValue>): Maybe<number> {
  if (!source) return undefined
  const { value, path, report } = source
  if (Number.isSafeInteger(value)) return Number(value)
  report(path, `must be a whole number, found ${quoteValue(value)}`)
  return undefined
}

/** One of a few words. */
export function wordOf<const Word extends string>(
  source: Maybe<FileValue>,
  words: readonly Word[],
): Maybe<Word> {
  if (!source) return undefined
  const { value, path, report } = source
  const found = words.find((word) => word === value)
  if (found === undefined) {
    report(path, `must be ${words.join(' or ')}, found ${quoteValue(value)}`)
  }
  return found
}
