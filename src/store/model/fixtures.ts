import type { ReadResource } from './resource.ts'

const TIME = new Date('2026-01-01T00:00:00Z')

/** A resource for tests, named like its ID. */
export function testResource(id: string, members: Partial<ReadResource> = {}): ReadResource {
  return {
    id,
    tenant: '',
    kind: 'Cluster',
    name: id,
    ownerId: '',
    generation: 1,
    version: 1n,
    spec: '{}',
    labels: '{}',
    annotations: '{}',
    refs: {},
    conditions: [],
    requiredAdapters: null,
    createdTime: TIME,
    updatedTime: TIME,
    createdBy: 'a',
    updatedBy: 'a',
    deletedTime: null,
    deletedBy: null,
    ...members,
  }
}
