import type { StoredObject } from '../../../store/objects/model/stored-object.ts'
import { storedTextOf } from '../../../store/objects/model/stored-text.ts'

/** The form of the items of a list. */
interface ItemForm {
  readonly apiVersion: string
  readonly kind: string
  /** Whether items show neither of them. */
  readonly omitsKind: boolean
}

const METADATA = '"metadata": {'
const API_VERSION = '"apiVersion": "'

/**
 * The JSON of an item of a list from the stored text, which takes a fifth of the CPU of parsing and
 * serializing. Null if the text is unknown, of another version, or needs a parser: the form of
 * `jsonb` sorts keys, so a member of the object can follow a nested one with its name.
 */
export function storedItemText(object: StoredObject, form: ItemForm): string | null {
  const stored = storedTextOf(object)
  if (stored === null) return null
  const body = form.omitsKind ? withoutKind(stored.body, form) : inVersion(stored.body, form)
  const at = body === null ? -1 : onlyMember(body, METADATA)
  if (body === null || at === -1) return null
  const start = at + METADATA.length
  // Metadata has a uid at least.
  if (body.charAt(start) !== '"') return null
  const version = `"resourceVersion": "${object.revision}", `
  const fields = stored.managedFields === '[]' ? '' : `"managedFields": ${stored.managedFields}, `
  return body.slice(0, start) + version + fields + body.slice(start)
}

/** Null if the object may have another version. */
function inVersion(body: string, { apiVersion }: ItemForm): string | null {
  return versionAt(body, apiVersion) === -1 ? null : body
}

/** The text without both members; null if they cannot be found. */
function withoutKind(body: string, { apiVersion, kind }: ItemForm): string | null {
  const version = versionAt(body, apiVersion)
  if (version === -1) return null
  const rest = withoutMember(body, version, `"apiVersion": "${apiVersion}"`)
  const member = `"kind": "${kind}"`
  const at = rest.startsWith(member, 1) ? 1 : onlyMember(rest, member)
  return at === -1 ? null : withoutMember(rest, at, member)
}

/** The position of the object's version; -1 if it is another one or may be nested. */
function versionAt(body: string, apiVersion: string): number {
  const member = `"apiVersion": "${apiVersion}"`
  // The last member of the text belongs to the object itself.
  if (body.endsWith(` ${member}}`)) return body.length - member.length - 1
  const at = onlyMember(body, API_VERSION)
  return at !== -1 && body.startsWith(member, at) ? at : -1
}

function withoutMember(body: string, at: number, member: string): string {
  const end = at + member.length
  if (body.charAt(end) === ',') return body.slice(0, at) + body.slice(end + 2)
  return (at === 1 ? '{' : body.slice(0, at - 2)) + body.slice(end)
}

/**
 * The position of a member whose text occurs once, so it is that of the object, which always has it.
 * In a text, the quote before the name would be escaped. -1 otherwise.
 */
function onlyMember(body: string, member: string): number {
  const at = body.indexOf(member)
  if (at === -1 || body.includes(member, at + 1)) return -1
  const before = body.charAt(at - 1)
  return before === '{' || before === ' ' ? at : -1
}
