import { isJsonObject } from '../../../lib/json/json.ts'
import type { ApiObject } from '../../model/api-object.ts'
import { nativeType } from '../native-type.ts'
import { addressOf } from './server-address.ts'
import { AGE_COLUMN, computedColumn, NAME_COLUMN } from '../printer-columns.ts'
import {
  bytes,
  definition,
  flag,
  integer,
  keyedList,
  text,
  time,
  withDefault,
} from '../schemas/field-schemas.ts'

const DEFINITIONS = 'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1'
const HTTPS_PORT = 443

const CONDITION = definition(`${DEFINITIONS}.APIServiceCondition`, {
  description: 'An observation about an API service.',
  properties: {
    lastTransitionTime: time('Last time the status changed.'),
    message: text('Explanation for readers.'),
    reason: text('Reason in CamelCase.'),
    status: text('True, False or Unknown.'),
    type: text('Type of the condition.'),
  },
  required: ['type', 'status'],
})

const SPEC = definition(`${DEFINITIONS}.APIServiceSpec`, {
  description: 'The group version and the server that serves it.',
  properties: {
    caBundle: bytes('Certificates in PEM that the certificate of the server must chain to.'),
    group: text('Group of the resources.'),
    groupPriorityMinimum: integer('Priority of the group in discovery. Higher comes first.'),
    insecureSkipTLSVerify: flag('Whether to accept any certificate of the server.'),
    service: definition(`${DEFINITIONS}.ServiceReference`, {
      description:
        'The server. Planes have no services: the annotation flotilla.dev/url has the address.',
      properties: {
        name: text('Name of the service.'),
        namespace: text('Namespace of the service.'),
        port: withDefault(integer('Port of the service.'), HTTPS_PORT),
      },
    }),
    version: text('Version of the resources.'),
    versionPriority: integer('Priority of the version in its group. Higher comes first.'),
  },
  required: ['groupPriorityMinimum', 'versionPriority'],
})

function shownService(object: ApiObject): string {
  const { spec } = object
  const service = isJsonObject(spec) ? spec['service'] : undefined
  const address = addressOf(object)
  if (address !== null && URL.canParse(address)) return new URL(address).host
  if (!isJsonObject(service)) return 'Local'
  const parts = [service['namespace'], service['name']]
  return parts.filter((part) => typeof part === 'string').join('/')
}

function shownAvailability({ status }: ApiObject): string {
  const conditions = isJsonObject(status) ? status['conditions'] : undefined
  const condition = (Array.isArray(conditions) ? conditions : [])
    .filter((item) => isJsonObject(item))
    .find(({ type }) => type === 'Available')
  if (typeof condition?.['status'] !== 'string') return 'Unknown'
  const { status: state, reason = '' } = condition
  if (state === 'True' || typeof reason !== 'string' || reason === '') return state
  return `${state} (${reason})`
}

/** The type of registrations of other servers for a group version. */
export const API_SERVICE_TYPE = nativeType({
  group: 'apiregistration.k8s.io',
  kind: 'APIService',
  plural: 'apiservices',
  definitions: DEFINITIONS,
  categories: ['api-extensions'],
  namespaced: false,
  nameRule: 'path-segment',
  description: 'Another server that serves a group version. Its name is version.group.',
  properties: {
    spec: SPEC,
    status: definition(`${DEFINITIONS}.APIServiceStatus`, {
      description: 'The observed state of an API service.',
      properties: { conditions: keyedList(CONDITION, ['type'], 'Observations.') },
    }),
  },
  printerColumns: [
    NAME_COLUMN,
    computedColumn('Service', 'The host of the server, its service, or Local.', shownService),
    computedColumn('Available', 'Whether the server is available.', shownAvailability),
    AGE_COLUMN,
  ],
  hasStatus: true,
})
