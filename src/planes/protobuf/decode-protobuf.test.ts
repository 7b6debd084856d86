import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../lib/json/json.ts'
import { KubeError } from '../errors/kube-error.ts'
import { decodeProtobuf } from './decode-protobuf.ts'

interface Vector {
  readonly name: string
  readonly protobuf: string
  /** The object as the Go decoder reads it. */
  readonly json: JsonValue
}

const VECTORS: readonly Vector[] = JSON.parse(
  readFileSync('test/vectors/kubernetes-protobuf.json', 'utf8'),
)

/** A copy without null members, which the Go types use for absent values. */
function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) =>
      member === null ? [] : [[key, withoutNulls(member)]],
    ),
  )
}

const bytesOf = ({ protobuf }: Vector) => Buffer.from(protobuf, 'base64')

describe('R14: protobuf bodies', () => {
  it.each(VECTORS.map((vector) => [vector.name, vector] as const))(
    'R14: decodes %s as the Go types do',
    (_, vector) => {
      expect(withoutNulls(decodeProtobuf(bytesOf(vector)))).toEqual(withoutNulls(vector.json))
    },
  )

  it('R14: damaged bodies are a 400 or 415', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...VECTORS),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        fc.nat(),
        (vector, changes, cut) => {
          const bytes = bytesOf(vector)
          for (const [position, value] of changes) {
            bytes[4 + (position % (bytes.length - 4))] = value
          }
          const damaged = bytes.subarray(0, bytes.length - (cut % 3))
          try {
            decodeProtobuf(damaged)
          } catch (error) {
            if (!(error instanceof KubeError)) throw error
            expect([400, 415]).toContain(error.code)
          }
        },
      ),
      { numRuns: 1000 },
    )
  })

  const envelope = (content: Uint8Array, kind = 'ConfigMap') => {
    const header = message(1, Buffer.concat([message(1, 'v1'), message(2, kind)]))
    return Buffer.concat([Buffer.from('k8s\0'), header, message(2, content)])
  }

  it('R14: rejects bodies without the prefix, unknown kinds and encoded content', () => {
    expect(() => decodeProtobuf(Buffer.from('{}'))).toThrow(expect.objectContaining({ code: 400 }))
    for (const kind of ['Pod', '', 'constructor']) {
      expect(() => decodeProtobuf(envelope(Buffer.of(), kind))).toThrow(
        expect.objectContaining({ code: 415 }),
      )
    }
    const gzip = Buffer.concat([envelope(Buffer.of()), message(3, 'gzip')])
    expect(() => decodeProtobuf(gzip)).toThrow(expect.objectContaining({ code: 415 }))
  })

  it('R14: keys such as __proto__ are plain keys', () => {
    const entry = Buffer.concat([message(1, '__proto__'), message(2, 'x')])
    const { data } = decodeProtobuf(envelope(message(2, entry)))
    expect(JSON.stringify(data)).toBe('{"__proto__":"x"}')
  })

  it('R14: rejects deep schemas, many values and invalid text', () => {
    let schema: Uint8Array = Buffer.of()
    for (let depth = 0; depth < 200; depth += 1) schema = message(26, schema)
    const many = Buffer.concat(Array.from({ length: 301_000 }, () => message(14, 'f')))
    const meta = (content: Uint8Array) => envelope(message(1, content))
    expect(() => decodeProtobuf(meta(many))).toThrow('too many values')
    expect(() => decodeProtobuf(meta(message(1, Buffer.of(0xff))))).toThrow('not valid UTF-8')
    const version = message(7, message(4, message(1, schema)))
    const bytes = Buffer.concat([
      Buffer.from('k8s\0'),
      message(
        1,
        Buffer.concat([
          message(1, 'apiextensions.k8s.io/v1'),
          message(2, 'CustomResourceDefinition'),
        ]),
      ),
      message(2, message(2, version)),
    ])
    expect(() => decodeProtobuf(bytes)).toThrow('too deep')
  })
})

/** A field with a length on the wire. */
function message(field: number, content: string | Uint8Array): Buffer {
  const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content)
  return Buffer.concat([varint(field * 8 + 2), varint(bytes.length), bytes])
}

function varint(value: number): Buffer {
  const bytes = []
  let rest = value
  while (rest >= 128) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  return Buffer.of(...bytes, rest)
}
