import { defineKind } from '../../src/store/registry/kind.ts'

const SHARED = {
  parent: null,
  name: { minLength: 3, maxLength: 53 },
  spec: { type: 'object', additionalProperties: true },
  requiredAdapters: [],
  references: [],
  messages: { available: 'It is accessible', ready: 'All adapters report ready' },
} as const

/** The target of references. It requires no adapter, so a deletion removes it immediately. */
export const wifConfig = defineKind({
  ...SHARED,
  kind: 'WifConfig',
  plural: 'wifconfigs',
  singular: 'wifconfig',
})

/** The target of references. It requires no adapter, so a deletion removes it immediately. */
export const network = defineKind({
  ...SHARED,
  kind: 'Network',
  plural: 'networks',
  singular: 'network',
  requiredAdapters: ['router'],
})

/** Below a network, and itself referred to. */
export const subnet = defineKind({
  ...SHARED,
  kind: 'Subnet',
  plural: 'subnets',
  singular: 'subnet',
  parent: { kind: 'Network', onDelete: 'cascade' },
  references: [{ type: 'peer', kind: 'Subnet', min: 0, max: null }],
})

/** Refers to one WifConfig, to up to two networks, and to any number of subnets. */
export const channel = defineKind({
  ...SHARED,
  kind: 'Channel',
  plural: 'channels',
  singular: 'channel',
  requiredAdapters: ['publisher'],
  references: [
    { type: 'wif_config', kind: 'WifConfig', min: 1, max: 1 },
    { type: 'network', kind: 'Network', min: 0, max: 2 },
    { type: 'subnet', kind: 'Subnet', min: 0, max: null },
  ],
})

export const referringKinds = [wifConfig, network, subnet, channel]
