import { expect, it } from 'vitest'
import { readDiscovery } from './read-discovery.ts'

const resource = (plural: string, kind: string, verbs = ['get', 'list']) => ({
  resource: plural,
  responseKind: { kind },
  scope: 'Namespaced',
  verbs,
})

const core = {
  items: [
    {
      metadata: { creationTimestamp: null },
      versions: [{ version: 'v1', resources: [resource('secrets', 'Secret')] }],
    },
  ],
}

const groups = {
  items: [
    {
      metadata: { name: 'example.com' },
      versions: [
        { version: 'v2', resources: [resource('widgets', 'Widget')] },
        {
          version: 'v1',
          resources: [resource('widgets', 'Widget'), resource('reviews', 'Review', ['create'])],
        },
      ],
    },
  ],
}

it('reads each kind once, in the preferred version, core group first', () => {
  const kinds = readDiscovery([groups, core])
  expect(kinds.map(({ group, version, plural }) => [group, version, plural])).toEqual([
    ['', 'v1', 'secrets'],
    ['example.com', 'v2', 'widgets'],
  ])
})

it('leaves out kinds that cannot be listed', () => {
  expect(readDiscovery([groups]).map(({ kind }) => kind)).not.toContain('Review')
})

it('reads nothing from a document of another form', () => {
  expect(readDiscovery([null, 'text', { items: [null, { versions: 3 }] }])).toEqual([])
})
