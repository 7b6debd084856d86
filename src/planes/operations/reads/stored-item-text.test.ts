import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../lib/json/json.ts'
import { isJsonObject } from '../../../lib/json/json.ts'
import type { StoredObject } from '../../../store/objects/model/stored-object.ts'
import { setStoredText } from '../../../store/objects/model/stored-text.ts'
import { storedItemText } from './stored-item-text.ts'

const FORM = { apiVersion: 'v1', kind: 'ConfigMap', omitsKind: true }

/** Text as PostgreSQL writes `jsonb`: keys by length, then by bytes. */
function jsonbText(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(jsonbText).join(', ')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).toSorted(
    ([first], [second]) =>
      first.length - second.length || Buffer.compare(Buffer.from(first), Buffer.from(second)),
  )
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}: ${jsonbText(member)}`).join(', ')}}`
}

function storedOf(body: JsonObject, managedFields: readonly JsonValue[]): StoredObject {
  const key = { plane: 'root', resource: 'configmaps', namespace: 'default', name: 'a' }
  const object = { ...key, uid: 'u', revision: 7n, body, managedFields }
  setStoredText(object, { body: jsonbText(body), managedFields: JSON.stringify(managedFields) })
  return object
}

const TEXTS = ['metadata', '"metadata": {', 'v1', 'ConfigMap', ', "apiVersion": "v1"}', '\\', '']
const KEYS = ['kind', 'metadata', 'apiVersion', 'data', 'a"metadata', 'x"kind', 'longer than most']
const anyJson = fc.letrec<{ readonly value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(...TEXTS, 1, null),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('value'), { maxKeys: 4 }),
  ),
})).value
const anyMembers = fc.dictionary(
  fc.constantFrom('data', 'spec', 'binaryData', 'longer than most', 'a"metadata', 'x"kind'),
  anyJson,
)

test('the text of an item is that of the parsed object, or unknown', () => {
  let known = 0
  const property = fc.property(
    anyMembers,
    fc.dictionary(fc.constantFrom('labels', 'ownerReferences', 'annotations'), anyJson),
    fc.constantFrom('v1', 'v2'),
    fc.boolean(),
    (members, metadata, apiVersion, omitsKind) => {
      const body = {
        ...members,
        apiVersion,
        kind: 'ConfigMap',
        metadata: { uid: 'u', ...metadata },
      }
      const managedFields = Object.keys(members).map((manager) => ({ manager }))
      const text = storedItemText(storedOf(body, managedFields), { ...FORM, omitsKind })
      if (text === null) return
      known += 1
      const { kind: _kind, apiVersion: _version, ...rest } = body
      const shown = {
        ...body.metadata,
        resourceVersion: '7',
        ...(managedFields.length > 0 && { managedFields }),
      }
      expect(apiVersion).toBe('v1')
      expect(JSON.parse(text)).toEqual({ ...(omitsKind ? rest : body), metadata: shown })
    },
  )
  fc.assert(property, { numRuns: 1000 })
  expect(known).toBeGreaterThan(50)
})

test('an object with an owner of another kind is not parsed', () => {
  const ownerReferences = [{ apiVersion: 'example.com/v1', kind: 'Widget', name: 'w', uid: 'w' }]
  const body = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { uid: 'u', ownerReferences },
    data: { a: 'b' },
  }
  const text = storedItemText(storedOf(body, []), FORM) ?? 'null'
  const metadata = { resourceVersion: '7', uid: 'u', ownerReferences }
  expect(JSON.parse(text)).toEqual({ data: { a: 'b' }, metadata })
})

test('the text of an object whose content was replaced is not used', () => {
  const object = storedOf({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { uid: 'u' } }, [])
  expect(storedItemText(object, FORM)).not.toBe(null)
  expect(storedItemText({ ...object, body: {} }, FORM)).toBe(null)
})
