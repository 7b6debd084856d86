import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../lib/json/json.ts'
import { createEnvelope } from '../../lib/encryption/envelope.ts'
import { createContentCodec } from './content-codec.ts'

const codec = createContentCodec(createEnvelope([{ id: '2026', key: randomBytes(32) }]), [
  'spec',
  'template',
])
const key = { plane: 'root', resource: 'fleets.kplane.dev', namespace: '', name: 'rl' }
const SECRET = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 's' },
  data: { a: 'c2VjcmV0' },
}
const MAP = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' } }

function fleetWith(objects: JsonValue, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'kplane.dev/v1',
    kind: 'Fleet',
    metadata: { name: 'rl', uid: 'u', generation: 2, ...metadata },
    spec: { replicas: 3, template: { labels: { a: 'b' }, objects } },
  }
}

describe('createContentCodec', () => {
  it('hides manifests with a Secret, and annotations, which may be copies', () => {
    const fleet = fleetWith([MAP, SECRET], { annotations: { copy: JSON.stringify(SECRET) } })
    const stored = codec.encode(key, fleet)
    expect(stored).toEqual({
      ...fleetWith([]),
      encrypted: expect.stringMatching(/^flotilla:v1:2026:/),
    })
    expect(codec.decode(key, stored)).toEqual(fleet)
    const copied = { ...key, name: 'other' }
    expect(() => codec.decode(copied, stored)).toThrow()
  })

  it.each([
    ['no Secret', fleetWith([MAP], { annotations: { a: 'b' } })],
    ['no manifests', { metadata: { name: 'rl' }, spec: { replicas: 1 } }],
  ])('stores a Fleet with %s as it is', (_case, fleet) => {
    expect(codec.encode(key, fleet)).toBe(fleet)
    expect(codec.decode(key, fleet)).toBe(fleet)
  })

  it('restores an object without annotations', () => {
    const fleet = fleetWith([SECRET])
    expect(codec.decode(key, codec.encode(key, fleet))).toEqual(fleet)
  })
})
