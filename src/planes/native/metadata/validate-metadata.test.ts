import { describe, expect, it } from 'vitest'
import type { ObjectMeta } from '../../model/api-object.ts'
import { validateMetadata } from './validate-metadata.ts'

const NAMESPACED = { namespaced: true } as const

function errorsOf(metadata: ObjectMeta, old: ObjectMeta | null = null) {
  const object = (content: ObjectMeta) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: content,
  })
  return validateMetadata(object(metadata), NAMESPACED, old && object(old)).map(
    ({ field, message }) => `${field}: ${message}`,
  )
}

const VALID = { name: 'a.b', namespace: 'default' }

describe('metadata', () => {
  it('R3: accepts valid names, labels, annotations and finalizers', () => {
    expect(
      errorsOf({
        ...VALID,
        labels: { 'example.com/team': 'A_b', app: '' },
        annotations: { 'Example.com/Note': 'any text' },
        finalizers: ['example.com/wait', 'orphan'],
        ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' }],
      }),
    ).toEqual([])
  })

  it("R3: rejects names with Kubernetes' messages", () => {
    expect(errorsOf({ ...VALID, name: 'A' })).toEqual([
      `metadata.name: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
    ])
    expect(errorsOf({ namespace: 'default' })).toEqual([
      'metadata.name: Required value: name or generateName is required',
    ])
    expect(errorsOf({ ...VALID, name: 'a'.repeat(254) })[0]).toMatch(
      'must be no more than 253 bytes',
    )
  })

  it('R3: applies the rule of the type', () => {
    const type = { namespaced: false, nameRule: 'dns-label' } as const
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a.b' } }
    expect(validateMetadata(object, type, null)[0]?.message).toBe(
      'Invalid value: "a.b": must not contain dots',
    )
    const role = { ...object, metadata: { name: 'system:x/y' } }
    expect(
      validateMetadata(role, { namespaced: false, nameRule: 'path-segment' }, null)[0]?.message,
    ).toBe(`Invalid value: "system:x/y": may not contain '/'`)
  })

  it('R3: accepts a prefix of names that ends with a dash', () => {
    expect(errorsOf({ ...VALID, generateName: 'a-' })).toEqual([])
    expect(errorsOf({ ...VALID, generateName: 'a-.' })).toHaveLength(1)
  })

  it('R3: separates examples as Kubernetes does', () => {
    const type = { namespaced: false, nameRule: 'dns-label' } as const
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'A' } }
    expect(validateMetadata(object, type, null)[0]?.message).toMatch(
      "(e.g. 'my-name',  or '123-abc', regex used for validation is",
    )
  })

  it('R3: rejects labels with an invalid key or value', () => {
    expect(errorsOf({ ...VALID, labels: { 'a/b/c': 'x', b: '-' } })).toEqual([
      expect.stringContaining('a valid label key must consist of'),
      expect.stringContaining('a valid label must be an empty string'),
    ])
    expect(errorsOf({ ...VALID, labels: { '/a': '' } })[0]).toMatch('prefix part must be non-empty')
  })

  it('R3: rejects more than 256 KiB of annotations', () => {
    expect(errorsOf({ ...VALID, annotations: { a: 'x'.repeat(256 * 1024) } })).toEqual([
      'metadata.annotations: Too long: may not be more than 262144 bytes',
    ])
    expect(errorsOf({ ...VALID, annotations: { a: 'x'.repeat(256 * 1024 - 1) } })).toEqual([])
  })

  it('R3: rejects incomplete owners and a second controller', () => {
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u', controller: true }
    expect(errorsOf({ ...VALID, ownerReferences: [owner, { ...owner, uid: '' }] })).toEqual([
      'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
      expect.stringContaining('Only one reference can have Controller set to true'),
    ])
  })

  it('R26: rejects new finalizers during the deletion', () => {
    const old = { ...VALID, deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['a.b/c'] }
    expect(errorsOf({ ...old, finalizers: ['a.b/c', 'a.b/d'] }, old)).toEqual([
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"a.b/d"}',
    ])
    expect(errorsOf({ ...old, finalizers: [] }, old)).toEqual([])
  })

  it('R5: rejects another name in an update', () => {
    expect(errorsOf({ ...VALID, name: 'b' }, VALID)).toEqual([
      'metadata.name: Invalid value: "b": field is immutable',
    ])
  })
})
