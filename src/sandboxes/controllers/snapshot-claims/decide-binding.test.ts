import { describe, expect, test } from 'vitest'
import * as fixtures from '../../model/backends/fixtures.ts'
import type { SnapshotClaim } from '../../model/backends/snapshot-claim.ts'
import type { SnapshotClass } from '../../model/backends/snapshot-class.ts'
import { decideBinding } from './decide-binding.ts'

interface ClaimParts {
  readonly requestedClass?: string
  readonly boundClass?: string
  readonly parameters?: readonly string[]
}

function claim({ requestedClass = '', boundClass = '', parameters = [] }: ClaimParts = {}) {
  return fixtures.claim({
    requestedClass,
    parameters: Object.fromEntries(parameters.map((name) => [name, 'x'])),
    binding: { className: boundClass },
  })
}

function snapshotClass(name: string, parts: Partial<SnapshotClass> = {}): SnapshotClass {
  return fixtures.snapshotClass({ name, ...parts })
}

const DEFAULT = { isDefault: true }

function resultOf(state: SnapshotClaim, classes: readonly SnapshotClass[]): string {
  const { condition, snapshotClassName } = decideBinding(state, classes)
  const { status, reason, message } = condition
  return `${status}/${reason} [${snapshotClassName}] ${message}`
}

describe('a claim that names its class', () => {
  test('is bound to the class', () => {
    expect(resultOf(claim({ requestedClass: 'fast' }), [snapshotClass('fast')])).toBe(
      'True/Bound [fast] The claim is bound to the SnapshotClass "fast"',
    )
  })

  test('waits for a class that does not exist', () => {
    expect(resultOf(claim({ requestedClass: 'fast' }), [snapshotClass('slow', DEFAULT)])).toBe(
      'Unknown/Pending [] The SnapshotClass "fast" does not exist',
    )
  })

  test('is not bound to a class that is being deleted', () => {
    const classes = [snapshotClass('fast', { isDeleting: true })]
    expect(resultOf(claim({ requestedClass: 'fast' }), classes)).toBe(
      'Unknown/Pending [] The SnapshotClass "fast" is being deleted',
    )
  })

  test('stays bound while its class is being deleted', () => {
    const classes = [snapshotClass('fast', { isDeleting: true })]
    const bound = claim({ requestedClass: 'fast', boundClass: 'fast' })
    expect(resultOf(bound, classes)).toContain('True/Bound [fast]')
  })

  test('fails if it sets locked parameters, and names them', () => {
    const classes = [snapshotClass('fast', { lockedParameters: ['bucket', 'region', 'store'] })]
    const parameters = ['store', 'prefix', 'bucket']
    expect(resultOf(claim({ requestedClass: 'fast', parameters }), classes)).toBe(
      'False/Failed [] The SnapshotClass "fast" locks the parameters "bucket", "store"',
    )
  })

  test('keeps its resolved class when the class is removed', () => {
    expect(resultOf(claim({ requestedClass: 'fast', boundClass: 'fast' }), [])).toBe(
      'Unknown/Pending [fast] The SnapshotClass "fast" does not exist',
    )
  })

  test('follows a change of the name', () => {
    const changed = claim({ requestedClass: 'slow', boundClass: 'fast' })
    expect(resultOf(changed, [snapshotClass('fast'), snapshotClass('slow')])).toContain(
      'True/Bound [slow]',
    )
  })
})

describe('a claim without a class name', () => {
  test('is bound to the default class', () => {
    const classes = [snapshotClass('fast'), snapshotClass('slow', DEFAULT)]
    expect(resultOf(claim(), classes)).toContain('True/Bound [slow]')
  })

  test('waits for a default class', () => {
    expect(resultOf(claim(), [snapshotClass('fast')])).toBe(
      'Unknown/Pending [] No default SnapshotClass exists and the claim names no class',
    )
  })

  test('fails if two classes are the default, names both and picks neither', () => {
    const classes = [snapshotClass('slow', DEFAULT), snapshotClass('fast', DEFAULT)]
    expect(resultOf(claim(), classes)).toBe(
      'False/Failed [] 2 SnapshotClasses are the default: "fast", "slow"',
    )
  })

  test('ignores a default class that is being deleted', () => {
    const classes = [
      snapshotClass('old', { isDefault: true, isDeleting: true }),
      snapshotClass('new', DEFAULT),
    ]
    expect(resultOf(claim(), classes)).toContain('True/Bound [new]')
  })

  test('keeps its first default class when the default changes', () => {
    const classes = [snapshotClass('fast'), snapshotClass('slow', DEFAULT)]
    expect(resultOf(claim({ boundClass: 'fast' }), classes)).toContain('True/Bound [fast]')
  })
})
