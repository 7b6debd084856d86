import { describe, expect, test } from 'vitest'
import type { ResourceChange, StatusChange } from '../../store/model/change.ts'
import type { StatusRecord } from '../../store/model/status-record.ts'
import type { ReadResource } from '../../store/model/resource.ts'
import { testResource } from '../../store/model/fixtures.ts'
import { Subtree } from './subtree.ts'

const TIME = new Date('2026-01-01T00:00:00Z')

function resource(id: string, version: bigint, members: Partial<ReadResource> = {}): ReadResource {
  return testResource(id, { kind: 'Root', version, ...members })
}

const child = (id: string, version: bigint, ownerId = 'root'): ReadResource =>
  resource(id, version, { kind: 'Child', ownerId })

function status(adapter: string, observedGeneration: number): StatusRecord {
  return {
    adapter,
    observedGeneration,
    available: null,
    finalized: false,
    observedTime: TIME,
    createdTime: TIME,
    lastReportTime: TIME,
    conditions: [],
    data: {},
    metadata: null,
  }
}

function changed(
  revision: bigint,
  type: ResourceChange['type'],
  after: ReadResource,
): ResourceChange {
  return { subject: 'resource', revision, type, resource: after, before: null }
}

function reported(
  revision: bigint,
  type: StatusChange['type'],
  resourceId: string,
  after: { readonly status: StatusRecord; readonly rowVersion: bigint },
): StatusChange {
  return { subject: 'status', revision, type, resourceId, observedGenerationBefore: null, ...after }
}

/** At revision 10: a root at version 5 with a report, and a child. */
function newTree(): Subtree {
  return new Subtree({
    epoch: 'e',
    revision: 10n,
    isAhead: false,
    nodes: [
      { resource: child('b', 2n), reports: [] },
      { resource: resource('root', 5n), reports: [{ status: status('dns', 3), rowVersion: 7n }] },
    ],
  })
}

const ids = (tree: Subtree, kind: string) =>
  tree
    .state()
    .resources.get(kind)
    ?.map(({ id }) => id)

describe('a subtree', () => {
  test('applies newer changes only', () => {
    const tree = newTree()
    const before = tree.state()
    tree.apply(changed(11n, 'MODIFIED', resource('root', 5n, { name: 'same version' })))
    tree.apply(changed(12n, 'MODIFIED', resource('root', 4n, { name: 'older' })))
    tree.apply(changed(10n, 'MODIFIED', resource('root', 6n, { name: 'before it was read' })))
    tree.apply(reported(13n, 'MODIFIED', 'root', { status: status('dns', 1), rowVersion: 7n }))
    expect(tree.state()).toBe(before)
    tree.apply(changed(14n, 'MODIFIED', resource('root', 6n, { name: 'newer' })))
    tree.apply(reported(15n, 'MODIFIED', 'root', { status: status('dns', 4), rowVersion: 9n }))
    expect(tree.state().root.name).toBe('newer')
    expect(tree.state().reports[0]?.status.observedGeneration).toBe(4)
  })

  test('adds descendants at any depth, ordered by id', () => {
    const tree = newTree()
    tree.apply(changed(11n, 'ADDED', child('c', 1n)))
    tree.apply(changed(12n, 'ADDED', child('a', 1n)))
    tree.apply(changed(13n, 'ADDED', child('aa', 1n, 'a')))
    tree.apply(changed(14n, 'ADDED', child('x', 1n, 'of another')))
    tree.apply(reported(15n, 'ADDED', 'aa', { status: status('dns', 1), rowVersion: 1n }))
    tree.apply(reported(16n, 'ADDED', 'x', { status: status('dns', 1), rowVersion: 1n }))
    expect(ids(tree, 'Child')).toEqual(['a', 'aa', 'b', 'c'])
    expect(tree.state().reports.map(({ resourceId }) => resourceId)).toEqual(['aa', 'root'])
  })

  test('removes a resource with its reports, and frees their bytes', () => {
    const tree = newTree()
    const { bytes } = tree
    tree.apply(changed(11n, 'ADDED', child('c', 1n)))
    tree.apply(reported(12n, 'ADDED', 'c', { status: status('dns', 1), rowVersion: 1n }))
    expect(tree.bytes).toBeGreaterThan(bytes)
    tree.apply(changed(13n, 'DELETED', child('c', 2n)))
    tree.apply(reported(14n, 'DELETED', 'c', { status: status('dns', 1), rowVersion: 2n }))
    expect(tree.bytes).toBe(bytes)
    expect(ids(tree, 'Child')).toEqual(['b'])
    expect(tree.has('c')).toBe(false)
    tree.apply(changed(15n, 'DELETED', child('b', 3n)))
    expect(tree.state().resources.has('Child')).toBe(false)
  })

  test('has no root after the root is removed', () => {
    const tree = newTree()
    tree.apply(changed(11n, 'DELETED', resource('root', 6n)))
    expect(tree.root).toBeNull()
  })
})
