import { expect, test } from 'vitest'
import { emitPython } from './emit-python.ts'
import { readDocument } from './read-document.ts'

function emitted(schemas: Record<string, object>): string {
  const document = { info: { title: 'Test' }, components: { schemas } }
  const text = emitPython(readDocument('test', JSON.parse(JSON.stringify(document))))
  return text.slice(text.indexOf('\n\n\n') + 3)
}

test('an object becomes a TypedDict with optional and nested fields', () => {
  const properties = {
    name: { type: 'string', description: 'Its name.' },
    size: { type: ['integer', 'null'] },
    phase: { enum: ['Ready', 'Failed'] },
    meta: { type: 'object', properties: { uid: { type: 'string' } } },
  }
  const text = emitted({ Thing: { type: 'object', required: ['name'], properties } })
  expect(text).toContain('class Thing(TypedDict):\n    # Its name.\n    name: str\n')
  expect(text).toContain('    size: NotRequired[int | None]\n')
  expect(text).toContain('    phase: NotRequired[Literal["Ready", "Failed"]]\n')
  expect(text).toContain('    meta: NotRequired[ThingMeta]\n')
  expect(text).toContain('class ThingMeta(TypedDict):\n    uid: NotRequired[str]\n')
})

test('keywords of Python are keys of a dictionary, and bases come before their heirs', () => {
  const base = { type: 'object', required: ['from'], properties: { from: { type: 'string' } } }
  const heir = {
    allOf: [{ $ref: '#/components/schemas/Zone' }, { ...base, properties: { a: {} } }],
  }
  const text = emitted({ Area: heir, Zone: base })
  expect(text).toContain(`Zone = TypedDict("Zone", {\n    "from": 'str',\n})`)
  expect(text.indexOf('class Area(Zone)')).toBeGreaterThan(text.indexOf('Zone = '))
})

test('other schemas become aliases', () => {
  const text = emitted({ Labels: { type: 'object', additionalProperties: { type: 'string' } } })
  expect(text).toContain("Labels: TypeAlias = 'dict[str, str]'")
})
