import { describe, expect, it } from 'vitest'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import { must } from '../../src/lib/assert.ts'
import type { Kind } from '../../src/store/registry/kind.ts'
import { createRegistry } from '../../src/store/registry/registry.ts'
import {
  differencesBetween,
  fingerprintOf,
  sharedConfiguration,
} from '../../src/store/operations/servers/shared-configuration.ts'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'

const [CLUSTER, NODE_POOL] = [must(kinds[0], 'clusters'), must(kinds[1], 'node pools')]

function configurationOf(declared: readonly Kind[], settings = {}, schema = {}) {
  const specSchemas = new Map(declared.map(({ kind }) => [kind, schema]))
  const registry = createRegistry({
    hrefBase: BASE_PATH,
    kinds: declared,
    specSchemas,
    requiredAdapters: new Map(),
  })
  return sharedConfiguration(registry, settings)
}

const BASE = configurationOf([CLUSTER, NODE_POOL], { LABELS_BUMP_GENERATION: false })

const RULE = { type: 'Open', when: 'true', status: 'true', reason: '""', message: '""' }

describe('the fingerprint of a configuration', () => {
  it('does not depend on the order of kinds, adapters and fields', () => {
    const reversed = { ...CLUSTER, requiredAdapters: CLUSTER.requiredAdapters.toReversed() }
    const settings = { LABELS_BUMP_GENERATION: false }
    const same = configurationOf([NODE_POOL, reversed], settings)
    expect(fingerprintOf(same)).toBe(fingerprintOf(BASE))
    expect(differencesBetween(BASE, same)).toEqual([])
  })
})

describe('the differences between configurations', () => {
  it.each([
    [
      'Cluster.required_adapters',
      configurationOf([{ ...CLUSTER, requiredAdapters: ['dns'] }, NODE_POOL]),
      ['dns', 'hypershift', 'pullsecret', 'validator'],
      ['dns'],
    ],
    [
      'NodePool.on_parent_delete',
      configurationOf([
        CLUSTER,
        { ...NODE_POOL, parent: { kind: 'Cluster', onDelete: 'restrict' } },
      ]),
      'cascade',
      'restrict',
    ],
    [
      'Cluster.conditions',
      configurationOf([{ ...CLUSTER, conditions: [RULE] }, NODE_POOL]),
      expect.any(String),
      expect.any(String),
    ],
    ['NodePool', configurationOf([CLUSTER]), 'declared', 'not declared'],
    [
      'settings.LABELS_BUMP_GENERATION',
      configurationOf([CLUSTER, NODE_POOL], { LABELS_BUMP_GENERATION: true }),
      false,
      true,
    ],
  ])('name %s', (member, other, here, there) => {
    expect(fingerprintOf(other)).not.toBe(fingerprintOf(BASE))
    expect(differencesBetween(BASE, other)).toEqual([{ member, here, there }])
    expect(differencesBetween(other, BASE)).toEqual([{ member, here: there, there: here }])
  })

  it('name the schema of a kind', () => {
    const other = configurationOf([CLUSTER, NODE_POOL], {}, { required: ['size'] })
    expect(differencesBetween(BASE, other).map(({ member }) => member)).toEqual([
      'Cluster.spec_rules',
      'NodePool.spec_rules',
    ])
  })

  it('omit fields that the other version does not have', () => {
    const { Cluster: cluster, ...rest } = BASE
    const { messages: _messages, ...older } = must(cluster, 'Cluster')
    expect(differencesBetween(BASE, { ...rest, Cluster: older })).toEqual([])
    expect(differencesBetween({ ...rest, Cluster: older }, BASE)).toEqual([])
  })
})
