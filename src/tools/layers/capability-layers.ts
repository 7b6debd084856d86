import { FOUNDATION } from './foundation-layers.ts'
import type { Layer } from './layer.ts'
import { PLANES } from './plane-layers.ts'

const SANDBOX_LAYERS: Readonly<Record<string, Layer>> = {
  'sandboxes/model': { imports: ['lib', ...PLANES('expressions', 'model', 'schemas')] },
  'sandboxes/types': { imports: ['lib', ...PLANES('model', 'native'), 'sandboxes/model'] },
  'sandboxes/storage': { imports: ['lib', 'store/database'], types: ['generated/prisma'] },
  'sandboxes/controllers': {
    imports: [
      'lib',
      'store/objects/model',
      ...PLANES('controllers', 'errors', 'model'),
      'sandboxes/drivers/generated/proto',
      'sandboxes/drivers/protocol',
      'sandboxes/model',
      'sandboxes/storage',
    ],
  },
  'sandboxes/drivers/generated/proto': { imports: [] },
  'sandboxes/drivers/protocol': { imports: ['lib', 'sandboxes/drivers/generated/proto'] },
  'sandboxes/drivers': { imports: ['lib', 'sandboxes/drivers'] },
  sandboxes: { imports: ['lib', 'access', 'store', 'http', 'planes', 'sandboxes'] },
}

const FLEET_LAYERS: Readonly<Record<string, Layer>> = {
  'fleets/model': { imports: ['lib', ...PLANES('model', 'schemas')] },
  'fleets/types': { imports: ['lib', ...PLANES('model', 'native')] },
  'fleets/members': {
    imports: [
      'lib',
      'access',
      'store',
      'fleets/model',
      'fleets/types',
      ...PLANES('errors', 'model', 'seeding', 'selectors'),
    ],
  },
  'fleets/controllers': {
    imports: ['lib', 'store/objects/model', ...PLANES('controllers', 'errors', 'model')],
    types: ['fleets/members'],
  },
  fleets: { imports: [...FOUNDATION, 'planes', 'hyperfleet/openapi', 'fleets'] },
}

/** The rows of the capabilities, each with the capabilities that it needs. */
export const CAPABILITY_LAYERS: Readonly<Record<string, Layer>> = {
  'adapter-work': { imports: [...FOUNDATION, 'hyperfleet'] },
  audit: { imports: [...FOUNDATION, 'hyperfleet'] },
  history: { imports: [...FOUNDATION, 'hyperfleet'] },
  overview: { imports: [...FOUNDATION, 'hyperfleet', 'history'] },
  shards: { imports: [...FOUNDATION, 'hyperfleet', 'sandboxes/storage'] },
  snapshots: { imports: [...FOUNDATION, 'hyperfleet', 'planes'] },
  webhooks: { imports: [...FOUNDATION, 'hyperfleet'] },
  'exposed-kinds': { imports: [...FOUNDATION, 'hyperfleet', 'planes'] },
  ...FLEET_LAYERS,
  ...SANDBOX_LAYERS,
  console: { imports: ['lib', 'http'] },
}
/** The folders of the capabilities on the two APIs. */
export const CAPABILITIES = [
  'adapter-work',
  'audit',
  'console',
  'exposed-kinds',
  'fleets',
  'history',
  'overview',
  'sandboxes',
  'shards',
  'snapshots',
  'webhooks',
] as const
