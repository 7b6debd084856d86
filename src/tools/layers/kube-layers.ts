import type { Layer } from './layer.ts'

/** Folders of the API of planes. */
export const KUBE = (...folders: readonly string[]) => folders.map((name) => `apis/kube/${name}`)
/** The rows of the API of planes. */
export const KUBE_LAYERS: Readonly<Record<string, Layer>> = {
  'apis/kube/model': { imports: ['lib', 'core/objects/model'] },
  'apis/kube/errors': { imports: ['lib', 'http/errors', ...KUBE('model')] },
  'apis/kube/expressions': { imports: ['lib', 'core/expressions'] },
  'apis/kube/protobuf': { imports: ['lib', 'http/json', ...KUBE('errors')] },
  'apis/kube/negotiation': { imports: ['lib', 'http/json', ...KUBE('errors')] },
  'apis/kube/discovery': { imports: ['lib', ...KUBE('model')] },
  'apis/kube/selectors': {
    imports: ['lib', 'core/objects/model', 'core/objects/selection', ...KUBE('errors', 'model')],
  },
  'apis/kube/schemas': {
    imports: ['lib', 'core/expressions', 'http/json', ...KUBE('errors', 'expressions', 'model')],
  },
  'apis/kube/tables': { imports: ['lib', ...KUBE('errors', 'model', 'negotiation')] },
  'apis/kube/patches': { imports: ['lib', 'http/patching', ...KUBE('errors', 'model', 'schemas')] },
  'apis/kube/apply': { imports: ['lib', ...KUBE('errors', 'model', 'schemas')] },
  'apis/kube/native': {
    imports: ['lib', 'core/objects/model', ...KUBE('errors', 'model', 'selectors', 'tables')],
  },
  'apis/kube/openapi': { imports: ['lib', ...KUBE('discovery', 'model', 'native', 'schemas')] },
  'apis/kube/definitions/acceptance': { imports: ['lib', ...KUBE('model')] },
  'apis/kube/definitions': {
    imports: ['lib', 'core/objects/model', ...KUBE('errors', 'model', 'native', 'schemas')],
  },
  'apis/kube/access': {
    imports: [
      'lib',
      'core/auth',
      'core/model',
      'core/objects/model',
      'core/objects/selection',
      'core/storage',
      'http/auth',
      'http/errors',
      'http/requests',
      ...KUBE('errors', 'model', 'native', 'planes', 'selectors'),
    ],
  },
  'apis/kube/admission': {
    imports: [
      'lib',
      'core/objects/model',
      'core/objects/selection',
      'core/objects/storage',
      'core/storage/database',
      'http/egress',
      'http/json',
      ...KUBE('errors', 'expressions', 'model', 'native', 'patches', 'selectors'),
    ],
  },
  'apis/kube/delegation': {
    imports: [
      'lib',
      'core/objects/model',
      'http/egress',
      'http/requests',
      ...KUBE('discovery', 'errors', 'model', 'native', 'openapi'),
    ],
  },
  'apis/kube/requests': {
    imports: [
      'lib',
      'http/json',
      'http/requests',
      ...KUBE('apply', 'errors', 'model', 'negotiation'),
    ],
  },
  'apis/kube/operations': {
    imports: [
      'lib',
      'core/objects/model',
      'core/objects/selection',
      ...KUBE(
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
  'apis/kube/seeding': {
    imports: [
      'lib',
      'core/objects/model',
      ...KUBE('definitions', 'definitions/acceptance', 'errors', 'model', 'operations', 'schemas'),
    ],
  },
  'apis/kube/verbs': {
    imports: [
      'lib',
      'http/requests',
      'http/auth',
      ...KUBE('errors', 'model', 'negotiation', 'operations', 'patches', 'requests', 'tables'),
    ],
  },
  'apis/kube/watch': {
    imports: [
      'lib',
      'core/objects/model',
      'core/objects/selection',
      'http/requests',
      'http/streams',
      ...KUBE('errors', 'model', 'operations', 'requests', 'verbs'),
    ],
  },
  'apis/kube/snapshots': {
    imports: [
      'lib',
      'core/objects/configurations',
      'core/objects/model',
      'core/objects/storage',
      'core/storage/database',
      ...KUBE('model', 'operations', 'watch'),
    ],
  },
  'apis/kube/http': {
    imports: [
      'lib',
      'core/model',
      'http/auth',
      'http/browsers',
      'http/errors',
      'http/json',
      'http/observability',
      'http/requests',
      ...KUBE(
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
  'apis/kube/planes': {
    imports: [
      'lib',
      'core/objects',
      'core/storage/database',
      'core/storage/replicas',
      ...KUBE('errors', 'http', 'model', 'operations'),
    ],
  },
  'apis/kube': { imports: ['lib', 'core', 'http', 'apis/kube'] },
}
