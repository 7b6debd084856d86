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

test('a TypedDict with a keyword as a field name uses the functional syntax', () => {
  const zone = { type: 'object', required: ['from'], properties: { from: { type: 'string' } } }
  expect(emitted({ Zone: zone })).toContain(`Zone = TypedDict("Zone", {\n    "from": 'str',\n})`)
})

test('a base class precedes the classes that extend it', () => {
  const zone = { type: 'object', properties: { name: { type: 'string' } } }
  const area = {
    allOf: [
      { $ref: '#/components/schemas/Zone' },
      { type: 'object', properties: { size: { type: 'integer' } } },
    ],
  }
  expect(emitted({ Area: area, Zone: zone })).toMatch(
    /class Zone\(TypedDict\)[^]*class Area\(Zone\)/,
  )
})

test('a schema that is not an object with properties becomes a type alias', () => {
  const text = emitted({ Labels: { type: 'object', additionalProperties: { type: 'string' } } })
  expect(text).toContain("Labels: TypeAlias = 'dict[str, str]'")
})
