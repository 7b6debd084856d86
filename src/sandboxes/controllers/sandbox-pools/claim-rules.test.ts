import { describe, expect, test } from 'vitest'
import { claimExpiry } from './claim-expiry.ts'
import { injectEnv } from './inject-env.ts'
import { mergePodMetadata } from './merge-pod-metadata.ts'
import { nameHash } from './name-hash.ts'

const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1000)

test('the hash of a name is FNV-1a in eight digits', () => {
  expect(nameHash('')).toBe('811c9dc5')
  expect(nameHash('a')).toBe('e40c292c')
  expect(nameHash('foobar')).toBe('bf9cf968')
})

test('a claim expires at its shutdown time or after its workload has ended', () => {
  const never = { shutdownTime: null, ttlSecondsAfterFinished: null, finishedSince: null }
  expect(claimExpiry(never)).toBeNull()
  expect(claimExpiry({ ...never, ttlSecondsAfterFinished: 5 })).toBeNull()
  const finished = { ...never, ttlSecondsAfterFinished: 5, finishedSince: at(10) }
  expect(claimExpiry(finished)).toEqual(at(15))
  expect(claimExpiry({ ...finished, shutdownTime: at(12) })).toEqual(at(12))
  expect(claimExpiry({ ...finished, shutdownTime: at(20) })).toEqual(at(15))
})

describe('metadata of a claimed pod', () => {
  const template = {
    name: 't',
    podMetadata: { labels: { app: 'x' }, annotations: { note: 'template' } },
  }
  const merge = (labels: Record<string, string>, annotations: Record<string, string> = {}) =>
    mergePodMetadata(template, { uid: 'u1', podMetadata: { labels, annotations } })

  test('has the entries of the template, of the claim, and of the system', () => {
    expect(merge({ 'a.sandbox.users.io/team': 'one' }, { 'example.com/x': 'y' })).toEqual({
      labels: {
        app: 'x',
        'a.sandbox.users.io/team': 'one',
        'agents.x-k8s.io/claim-uid': 'u1',
        'agents.x-k8s.io/sandbox-template-ref-hash': nameHash('t'),
      },
      annotations: { note: 'template', 'example.com/x': 'y' },
    })
  })

  test('cannot have labels of other domains, reserved annotations or other values', () => {
    expect(() => merge({ team: 'one' })).toThrow(/must have the domain sandbox\.users\.io/)
    expect(() => merge({ 'evilsandbox.users.io/a': 'b' })).toThrow(/must have the domain/)
    expect(() => merge({ 'sandbox.users.io/a': 'not valid' })).toThrow(/invalid value/)
    expect(() => merge({}, { 'kubernetes.io/x': '' })).toThrow(/reserved domain kubernetes\.io/)
    expect(() => merge({}, { 'a.Agents.x-k8s.io/x': '' })).toThrow(/reserved domain/)
    expect(() => merge({}, { note: 'claim' })).toThrow(/sets the annotation "note"/)
    expect(merge({}, { note: 'template' }).annotations).toEqual({ note: 'template' })
  })
})

describe('environment variables of a claim', () => {
  const container = { name: 'main', env: [{ name: 'A', value: '1' }] }
  const blueprint = { podTemplate: { spec: { containers: [container] } } }
  const inject = (envPolicy: 'Allowed' | 'Overrides' | 'Disallowed', name: string, target = '') =>
    injectEnv({ blueprint, envPolicy }, [{ name, value: '2', containerName: target }])
  const withEnv = (env: object[]) => ({
    podTemplate: { spec: { containers: [{ name: 'main', env }] } },
  })

  test('are added or replaced as the template permits', () => {
    const added = [
      { name: 'A', value: '1' },
      { name: 'B', value: '2' },
    ]
    expect(inject('Allowed', 'B')).toEqual(withEnv(added))
    expect(inject('Allowed', 'B', 'main')).toEqual(withEnv(added))
    expect(inject('Overrides', 'A')).toEqual(withEnv([{ name: 'A', value: '2' }]))
    expect(injectEnv({ blueprint, envPolicy: 'Disallowed' }, [])).toBe(blueprint)
  })

  test('are rejected otherwise', () => {
    expect(() => inject('Disallowed', 'B')).toThrow(/does not allow environment variables/)
    expect(() => inject('Allowed', 'A')).toThrow(/does not allow to replace the variable "A"/)
    expect(() => inject('Allowed', 'B', 'other')).toThrow(/container "other" .* does not exist/)
  })
})
