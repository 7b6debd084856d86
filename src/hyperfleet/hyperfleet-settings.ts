import {
  choice,
  flag,
  integer,
  optionalText,
  readFlag,
  retired,
  type Setting,
} from '../lib/settings/setting.ts'
import { declaredFields } from '../store/indexes/indexed-field.ts'
import { MAX_PAGE_SIZE } from '../store/model/page-size.ts'

/** Settings of the HyperFleet API. */
export const HYPERFLEET_SETTINGS = {
  defaultPageSize: integer({
    env: 'HYPERFLEET_DEFAULT_PAGE_SIZE',
    min: 1,
    max: MAX_PAGE_SIZE,
    default: 100,
    doc: 'Items per page if the request has no pageSize.',
  }),
  conditionFamily: choice({
    env: 'HYPERFLEET_CONDITIONS',
    of: ['v0.1', 'latest', 'both'],
    default: 'both',
    doc: 'Aggregated conditions in responses: Available and Ready (v0.1), Reconciled and LastKnownReconciled (latest), or all four (both).',
  }),
  entitiesFile: optionalText({
    env: 'FLOTILLA_CONFIG',
    doc: 'YAML file with configured kinds and changes to the built-in kinds: see docs/configured-kinds.md.',
  }),
  indexedFields: declaredFields({
    env: 'INDEXED_FIELDS',
    shared: true,
    doc: 'Fields that indexes serve, such as `Cluster:spec.region,NodePool:spec.replicas` for searches or `Cluster:updated_time` for lists in this order; at most 16. Servers build and drop the indexes without blocking writes: see docs/search.md.',
  }),
  openapiSchemaPath: optionalText({
    env: 'OPENAPI_SCHEMA_PATH',
    doc: 'OpenAPI file whose components `<Kind>Spec` (ClusterSpec, NodePoolSpec) replace the free-form spec schemas.',
  }),
  labelsBumpGeneration: flag({
    env: 'LABELS_BUMP_GENERATION',
    shared: true,
    default: false,
    doc: 'Whether a change of labels alone raises `generation`, as in newer HyperFleet versions.',
  }),
  unknownParameters: choice({
    env: 'UNKNOWN_PARAMETERS',
    shared: true,
    of: ['reject', 'ignore'],
    default: 'reject',
    doc: 'The effect of an unknown query parameter: the request fails with 400 (reject), or the parameter has no effect (ignore).',
  }),
  verifyOpenapi: retired({
    env: 'VERIFY_OPENAPI',
    doc: 'only the tests of Flotilla check requests and responses twice',
    read: readFlag,
  }),
} as const satisfies Record<string, Setting<unknown>>
