import { describe, expect, it, vi } from 'vitest'
import { countTurns } from '../../../test/support/count-turns.ts'
import { stopPerformanceClock } from '../../../test/support/stop-performance-clock.ts'
import { workFor } from '../../lib/tracing/main-thread.ts'
import type { Schema } from '../model/schema.ts'
import { applyReadDefaults, decodeInput } from './decode-input.ts'
import { duplicateFields } from './duplicate-fields.ts'

const SCHEMA: Schema = {
  type: 'object',
  properties: {
    spec: { type: 'object', properties: { size: { type: 'integer', default: 3 } } },
  },
}
const HEAD = { apiVersion: 'example.com/v1', kind: 'Foo', metadata: { name: 'a' } }

async function decode(text: string, fieldValidation: 'Ignore' | 'Warn' | 'Strict') {
  const warnings: string[] = []
  const object = await decodeInput(JSON.parse(text), {
    schema: SCHEMA,
    fieldValidation,
    text,
    warn: (message) => warnings.push(message),
  })
  return { object, warnings }
}

const TEXT = JSON.stringify({ ...HEAD, spec: { foo: 1 } }).replace('"foo":1', '"foo":1,"foo":2')

describe('decodeInput', () => {
  it('R23: warns about unknown and duplicate fields', async () => {
    expect((await decode(TEXT, 'Warn')).warnings).toEqual([
      'duplicate field "spec.foo"',
      'unknown field "spec.foo"',
    ])
  })

  it('R23: rejects unknown and duplicate fields if validation is strict', async () => {
    await expect(decode(TEXT, 'Strict')).rejects.toThrow(
      'Foo in version "v1" cannot be handled as a Foo: strict decoding error: duplicate field "spec.foo", unknown field "spec.foo"',
    )
  })

  it('R23: removes unknown fields silently if validation is off', async () => {
    const object = { ...HEAD, spec: { size: 3 } }
    expect(await decode(TEXT, 'Ignore')).toEqual({ object, warnings: [] })
  })

  it('R25: returns an object that has every default as it is', async () => {
    const object = { ...HEAD, spec: { size: 1 } }
    const options = { schema: SCHEMA, fieldValidation: 'Strict', warn: () => {} } as const
    expect(await decodeInput(object, options)).toBe(object)
  })

  it('R36: sets the defaults of fields that the schema declares later when it reads', () => {
    expect(applyReadDefaults({ ...HEAD, spec: {} }, SCHEMA)).toEqual({ ...HEAD, spec: { size: 3 } })
  })

  it('R3: drops nulls in metadata and rejects values of the wrong type', async () => {
    const text = JSON.stringify({
      ...HEAD,
      metadata: { name: 'a', creationTimestamp: null, labels: null },
    })
    expect((await decode(text, 'Strict')).object.metadata).toEqual({ name: 'a' })
    for (const metadata of [{ name: 1 }, { labels: { a: 1 } }, { finalizers: 'a' }]) {
      const decoding = decode(JSON.stringify({ ...HEAD, metadata }), 'Ignore')
      await expect(decoding).rejects.toThrow('metadata.')
    }
  })
})

describe('duplicateFields', () => {
  it('R23: names each duplicate once, with indexes', () => {
    const text = '{"a":[{"b":1},{"b":1,"b":2,"b":3}],"\\u0061":2,"c":{"a":1}}'
    expect(duplicateFields(text)).toEqual(['a[1].b', 'a'])
  })
  it.each([
    String.raw`{"a\\": 1, "a": "\\", "b\"": {"x": "}{,:"}, "c" : ["c", "c", {"c": "a"}]}`,
    String.raw`{"a": "a", "b": ["{", "\"b\"", "]"], "\"b": "\\\\\"a"}`,
    '"a"',
  ])('finds none in %s', (text) => {
    expect(() => JSON.parse(text)).not.toThrow()
    expect(duplicateFields(text)).toEqual([])
  })

  it('compares keys without their escapes, whatever the space around them', () => {
    const text = String.raw`{ "a" : {"b" :1, "\u0062": [ 2 ] } , "\u0061" : "}" }`
    expect(duplicateFields(text)).toEqual(['a.b', 'a'])
  })
})

describe('the turns of decoding', () => {
  stopPerformanceClock()

  it('handles other events after it has removed unknown fields', async () => {
    using counter = countTurns()
    workFor({})
    let pruned = -1
    const spec = new Proxy(
      { foo: 1 },
      {
        get: (target, name) => {
          vi.advanceTimersByTime(11)
          pruned = counter.turn
          return Reflect.get(target, name)
        },
      },
    )
    const warned: number[] = []
    const warn = (): void => void warned.push(counter.turn)
    await decodeInput({ ...HEAD, spec }, { schema: SCHEMA, fieldValidation: 'Warn', warn })
    expect(warned).toEqual([pruned + 1])
  })
})

it('decoding reads each of many keys once', async () => {
  const data = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`key-${index}`, 'v']))
  let reads = 0
  const counted = new Proxy(data, {
    get: (target, name) => {
      reads += 1
      return Reflect.get(target, name)
    },
  })
  const mapOfTexts = { type: 'object', additionalProperties: { type: 'string' } } as const
  const schema = { type: 'object', properties: { data: mapOfTexts } } as const
  const warn = (message: string): void => expect.fail(message)
  await decodeInput({ ...HEAD, data: counted }, { schema, fieldValidation: 'Warn', warn })
  expect(reads).toBe(1000)
})
