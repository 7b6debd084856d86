import { afterAll, describe, expect, test } from 'vitest'
import type { Kind } from '../../store/registry/kind.ts'
import { must } from '../../lib/assert.ts'
import { FLEET, newFolder, SHIP } from './fixtures.ts'

const folder = await newFolder()
const { load, write } = folder
afterAll(() => folder[Symbol.asyncDispose]())

/** The kind `Thing` of a file that declares it with these further lines. */
async function thingOf(lines = ''): Promise<Kind> {
  const kinds = await load(`entities:\n  - kind: Thing\n    plural: things\n${lines}`)
  return must(kinds[2], 'the declared kind')
}

describe('an entity', () => {
  test('has defaults for all but its names', async () => {
    expect(await thingOf()).toEqual({
      kind: 'Thing',
      plural: 'things',
      singular: 'thing',
      parent: null,
      name: { minLength: 3, maxLength: 53 },
      spec: expect.objectContaining({ type: 'object', additionalProperties: true }),
      requiredAdapters: [],
      references: [],
      messages: {
        available: 'Thing is accessible',
        ready: 'All adapters report ready at current generation',
      },
    })
  })

  test('says how it differs from them', async () => {
    const thing = await thingOf(`
    singular: one_thing
    parent_kind: Ship
    on_parent_delete: cascade
    required_adapters: [a, b]
    name: { max_length: 9 }
    spec_schema: { type: object, required: [a] }
    messages: { ready: Done }
    references: [{ type: x, kind: Later, min: 1, max: 2 }, { type: y, kind: Thing }]
  - kind: Later
    plural: laters`)
    expect(thing).toEqual({
      kind: 'Thing',
      plural: 'things',
      singular: 'one_thing',
      parent: { kind: 'Ship', onDelete: 'cascade' },
      name: { minLength: 3, maxLength: 9 },
      spec: { type: 'object', required: ['a'] },
      requiredAdapters: ['a', 'b'],
      references: [
        { type: 'x', kind: 'Later', min: 1, max: 2 },
        { type: 'y', kind: 'Thing', min: 0, max: null },
      ],
      messages: { available: 'Thing is accessible', ready: 'Done' },
    })
  })

  test('restricts the deletion of its parent by default', async () => {
    const { parent } = await thingOf('    parent_kind: Fleet')
    expect(parent).toEqual({ kind: 'Fleet', onDelete: 'restrict' })
  })

  test('redefines a built-in kind by its name, and leaves the rest of it and its place', async () => {
    const kinds = await load(`entities:
  - { kind: Thing, plural: things }
  - { kind: Ship, plural: ships, on_parent_delete: restrict, name: { max_length: 7 } }`)
    const ship = { ...SHIP, parent: { kind: 'Fleet', onDelete: 'restrict' } }
    expect(kinds.map(({ kind }) => kind)).toEqual(['Fleet', 'Ship', 'Thing'])
    expect(kinds[1]).toEqual({ ...ship, name: { minLength: 3, maxLength: 7 } })
  })

  test('may repeat another by anchor and alias', async () => {
    const [, , , other] = await load(`entities:
  - { kind: Thing, plural: things, name: &short { max_length: 5 } }
  - { kind: Other, plural: others, name: *short }`)
    expect(other?.name).toEqual({ minLength: 3, maxLength: 5 })
  })
})

test('takes a file that declares nothing', async () => {
  expect(await load('entities: []')).toEqual([FLEET, SHIP])
})

test('accepts JSON', async () => {
  const text = JSON.stringify({ entities: [{ kind: 'Thing', plural: 'things' }] })
  expect(await load(text)).toHaveLength(3)
})

describe('a spec schema', () => {
  test('has resolved references, and no keywords of a separate file', async () => {
    const { spec } = await thingOf(`
    spec_schema:
      $schema: https://json-schema.org/draft/2020-12/schema
      $id: https://example.org/thing
      $ref: '#/$defs/thing'
      $defs:
        thing: { type: object, properties: { $id: { $ref: '#/$defs/id' } } }
        id: { type: string }`)
    expect(spec).toEqual({ type: 'object', properties: { $id: { type: 'string' } } })
  })

  test('comes from a file beside the configuration, which may refer to other files', async () => {
    await write('common.yaml', '$defs: { id: { $id: "urn:id", type: string } }')
    await write(
      'thing.json',
      JSON.stringify({ type: 'object', properties: { a: { $ref: 'common.yaml#/$defs/id' } } }),
    )
    const { spec } = await thingOf('    spec_schema: thing.json')
    expect(spec).toEqual({ type: 'object', properties: { a: { type: 'string' } } })
  })

  test('comes from an OpenAPI file by the name of its kind', async () => {
    const file = await write(
      'openapi.yaml',
      `openapi: 3.1.0
components:
  schemas:
    ThingSpec: { type: object, properties: { a: { $ref: '#/components/schemas/Id' } } }
    Id: { type: string }`,
    )
    const { spec } = await thingOf(`    spec_schema: ${file}`)
    expect(spec).toEqual({ type: 'object', properties: { a: { type: 'string' } } })
  })
})
