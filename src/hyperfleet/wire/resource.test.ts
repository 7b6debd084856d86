import { expect, it } from 'vitest'
import type { Resource } from '../../store/model/resource.ts'
import { encodeTenant } from '../../access/tenant.ts'
import { createRegistry } from '../../store/registry/registry.ts'
import type { Kind } from '../../store/registry/kind.ts'
import { projectableFields } from './resource-fields.ts'
import { serializeResource } from './resource.ts'
import { BASE_PATH } from '../paths/base-path.ts'

const shared = {
  name: { minLength: 1, maxLength: 10 },
  spec: { type: 'object' },
  requiredAdapters: [],
  messages: { available: 'Available', ready: 'Ready' },
}
const kinds: readonly Kind[] = [
  { ...shared, kind: 'Shelf', plural: 'shelves', singular: 'shelf', parent: null, references: [] },
  {
    ...shared,
    kind: 'Book',
    plural: 'books',
    singular: 'book',
    parent: { kind: 'Shelf', onDelete: 'cascade' },
    references: [{ type: 'sequel', kind: 'Book', min: 0, max: null }],
  },
]
const registry = createRegistry({
  hrefBase: BASE_PATH,
  kinds,
  specSchemas: new Map(kinds.map(({ kind }) => [kind, { type: 'object' }])),
  requiredAdapters: new Map(),
})

const now = new Date(0)
const full: Resource = {
  id: 'b',
  tenant: encodeTenant({ org: 'acme' }),
  kind: 'Book',
  name: 'book',
  ownerId: 's',
  generation: 1,
  version: 1n,
  spec: {},
  labels: {},
  annotations: { note: 'x' },
  refs: { sequel: ['c'] },
  conditions: [],
  requiredAdapters: [],
  createdTime: now,
  updatedTime: now,
  createdBy: 'ada',
  updatedBy: 'ada',
  deletedTime: now,
  deletedBy: 'ada',
}

it('writes every field of the wire table', () => {
  const kind = registry.byName('Book')
  const written = serializeResource({ registry, family: 'both' }, kind, full)
  expect(Object.keys(written)).toEqual(Object.keys(projectableFields([kind])))
})
