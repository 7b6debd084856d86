import { DECLARING, FOUNDATION } from './foundation-layers.ts'
import type { Layer } from './layer.ts'

/** Folders of the HyperFleet API. */
const API = (...folders: readonly string[]) => folders.map((name) => `hyperfleet/${name}`)
const BELOW = [...FOUNDATION, 'hyperfleet/statuses'] as const
const STATUSES = (...folders: readonly string[]) =>
  API(...folders.map((name) => `statuses/${name}`))

/** The rows of the HyperFleet API. */
export const HYPERFLEET_LAYERS: Readonly<Record<string, Layer>> = {
  'hyperfleet/statuses/model': { imports: ['lib', 'store/model'] },
  'hyperfleet/statuses/conditions': { imports: [...DECLARING, ...STATUSES('model')] },
  'hyperfleet/statuses/validation': {
    imports: ['lib', 'store/model', ...STATUSES('model', 'conditions')],
  },
  'hyperfleet/statuses/storage': {
    imports: ['lib', 'store', ...STATUSES('model', 'conditions')],
    types: ['generated/prisma'],
  },
  'hyperfleet/statuses/operations': {
    imports: [
      'lib',
      'access',
      'store',
      ...STATUSES('model', 'conditions', 'validation', 'storage'),
    ],
  },
  'hyperfleet/kinds': { imports: ['lib', 'store/model', 'store/registry'] },
  'hyperfleet/configured-kinds': { imports: DECLARING },
  'hyperfleet/paths': { imports: ['lib', 'store/registry'] },
  'hyperfleet/errors': { imports: ['lib', 'http/errors'] },
  'hyperfleet/query': { imports: BELOW },
  'hyperfleet/wire': { imports: [...BELOW, ...API('paths', 'query')] },
  'hyperfleet/validation': { imports: [...BELOW, ...API('wire')] },
  'hyperfleet/warnings': { imports: [...BELOW, ...API('wire')] },
  'hyperfleet/watch': { imports: [...BELOW, ...API('errors', 'query', 'wire')] },
  'hyperfleet/service': { imports: [...BELOW, ...API('openapi', 'paths', 'query')] },
  'hyperfleet/verbs': {
    imports: [
      ...BELOW,
      ...API('errors', 'openapi', 'paths', 'query', 'validation', 'warnings', 'watch', 'wire'),
    ],
  },
  'hyperfleet/openapi': { imports: [...BELOW, ...API('paths', 'query', 'wire')] },
  'hyperfleet/routes': {
    imports: [
      ...BELOW,
      ...API('openapi', 'paths', 'query', 'service', 'validation', 'verbs', 'warnings', 'wire'),
    ],
  },
  hyperfleet: { imports: [...BELOW, 'hyperfleet'] },
}
