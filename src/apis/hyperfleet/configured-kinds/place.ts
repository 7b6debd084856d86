import { isJsonObject, type JsonValue } from '../../../lib/json/json.ts'
import type { MemberPath } from '../../../lib/json/member-path.ts'
import { shownValue } from '../../../lib/json/shown-value.ts'
import { suggest } from '../../../lib/suggest.ts'

/** Notes what is wrong with a value of the file: the rest of a sentence that begins with its path. */
export type Report = (path: MemberPath, text: string) => void

/** A value of the file, and where it stands. */
export interface Place {
  readonly value: JsonValue
  readonly path: MemberPath
  readonly report: Report
}

const LONE_SURROGATE = /\p{Surrogate}/u

/** What the file does not say stays unsaid, and is no problem by itself. */
type Maybe<T> = T | undefined

/**
 * The members of an object, by name; reports what is no object, members that it cannot have, and
 * those that it must have and has not.
 */
export function membersOf<Name extends string>(
  place: Maybe<Place>,
  names: readonly Name[],
  required: readonly Name[] = [],
): (name: Name) => Maybe<Place> {
  if (!place) return () => undefined
  const { value, path, report } = place
  if (!isJsonObject(value)) {
    report(path, `must be an object with ${names.join(', ')}, found ${shownValue(value)}`)
    return () => undefined
  }
  const known: readonly string[] = names
  for (const name of Object.keys(value).filter((key) => !known.includes(key))) {
    const near = suggest(name, names)
    const hint = near === null ? `use ${names.join(', ')}` : `did you mean ${near}?`
    report([...path, name], `is not a member here: ${hint}`)
  }
  for (const name of required.filter((key) => !Object.hasOwn(value, key))) {
    report([...path, name], 'is missing: add it')
  }
  return (name) => {
    const member = value[name]
    return member === undefined ? undefined : { value: member, path: [...path, name], report }
  }
}

/** Whether an object has the member, in a form that can be used or not. */
export function isGiven({ value }: Place, name: string): boolean {
  return isJsonObject(value) && Object.hasOwn(value, name)
}

/** The items of a list. */
export function itemsOf(place: Maybe<Place>): Maybe<readonly Place[]> {
  if (!place) return undefined
  const { value, path, report } = place
  if (Array.isArray(value)) {
    return value.map((item: JsonValue, index) => ({ value: item, path: [...path, index], report }))
  }
  report(path, `must be a list, found ${shownValue(value)}`)
  return undefined
}

/** Text that the database can store. */
export function textOf(place: Maybe<Place>): Maybe<string> {
  if (!place) return undefined
  const { value, path, report } = place
  if (typeof value !== 'string') {
    report(path, `must be text, found ${shownValue(value)}`)
    return undefined
  }
  if (!value.includes('\0') && !LONE_SURROGATE.test(value)) return value
  report(path, 'has a character that cannot be stored: remove U+0000 and lone surrogates')
  return undefined
}

/** A whole number. */
export function integerOf(place: Maybe<Place>): Maybe<number> {
  if (!place) return undefined
  const { value, path, report } = place
  if (Number.isSafeInteger(value)) return Number(value)
  report(path, `must be a whole number, found ${shownValue(value)}`)
  return undefined
}

/** One of a few words. */
export function wordOf<const Word extends string>(
  place: Maybe<Place>,
  words: readonly Word[],
): Maybe<Word> {
  if (!place) return undefined
  const { value, path, report } = place
  const found = words.find((word) => word === value)
  if (found === undefined) {
    report(path, `must be ${words.join(' or ')}, found ${shownValue(value)}`)
  }
  return found
}
