import { createHash } from 'node:crypto'
import { type DescMessage, type JsonValue, type MessageShape, toJson } from '@bufbuild/protobuf'

/** Fields that may differ between attempts of one operation. */
const IGNORED = new Set(['fence', 'secrets'])

/** SHA-256 of the arguments of a call. Credentials and the fence are not part of them. */
export function argumentsDigest<Desc extends DescMessage>(
  schema: Desc,
  request: MessageShape<Desc>,
): string {
  const json = toJson(schema, request)
  return createHash('sha256').update(canonical(json, IGNORED)).digest('hex')
}

function canonical(value: JsonValue, ignored: ReadonlySet<string>): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, NONE)).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value)
    .filter(([name]) => !ignored.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member, NONE)}`)
  return `{${members.join()}}`
}

const NONE: ReadonlySet<string> = new Set()
