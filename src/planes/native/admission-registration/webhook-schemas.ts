import type { Schema } from '../../model/schema.ts'
import {
  bytes,
  choice,
  definition,
  integer,
  keyedList,
  text,
  textList,
  withDefault,
} from '../schemas/field-schemas.ts'
import { LABEL_SELECTOR } from '../schemas/label-selector.ts'

/** The group of webhook configurations and admission policies. */
export const ADMISSION_GROUP = 'admissionregistration.k8s.io'
/** Prefix of the definitions of webhook configurations and admission policies. */
export const ADMISSION_DEFINITIONS = 'io.k8s.api.admissionregistration.v1'

const CLIENT_CONFIG = definition(`${ADMISSION_DEFINITIONS}.WebhookClientConfig`, {
  description: 'The address of a webhook. Planes have no services: use url.',
  properties: {
    caBundle: bytes('Certificates in PEM that the certificate of the webhook must chain to.'),
    service: definition(`${ADMISSION_DEFINITIONS}.ServiceReference`, {
      description: 'A service of a cluster.',
      properties: {
        name: text('Name of the service.'),
        namespace: text('Namespace of the service.'),
        path: text('Path of the URL.'),
        port: withDefault(integer('Port of the service.'), 443),
      },
      required: ['namespace', 'name'],
    }),
    url: text('URL of the webhook. The scheme must be https.'),
  },
})

/** Properties of a rule that selects operations. */
export const RULE_PROPERTIES: Readonly<Record<string, Schema>> = {
  apiGroups: textList('Groups of the resources. * selects every group.'),
  apiVersions: textList('Versions of the resources. * selects every version.'),
  operations: textList('CREATE, UPDATE, DELETE, CONNECT, or * for all.'),
  resources: textList('Plurals such as configmaps, configmaps/status, */scale or */*.'),
  scope: withDefault(
    choice(['Cluster', 'Namespaced', '*'], 'Cluster, Namespaced, or * for both.'),
    '*',
  ),
}

/** Conditions in CEL that a request must meet. */
export const MATCH_CONDITIONS: Schema = keyedList(
  definition(`${ADMISSION_DEFINITIONS}.MatchCondition`, {
    description: 'A condition in CEL that a request must meet.',
    properties: {
      expression: text('CEL expression with a boolean result.'),
      name: text('Name of the condition, for messages.'),
    },
    required: ['name', 'expression'],
  }),
  ['name'],
  'Conditions in CEL. All of them must hold.',
)

/** The effect of a failed evaluation. */
export const FAILURE_POLICY: Schema = withDefault(
  choice(['Ignore', 'Fail'], 'Whether a failure rejects the request (Fail) or not (Ignore).'),
  'Fail',
)

/** The versions of a resource that a rule selects. */
export const MATCH_POLICY: Schema = withDefault(
  choice(['Exact', 'Equivalent'], 'Whether rules also select other versions of a resource.'),
  'Equivalent',
)

/** Properties of all webhooks. */
export const WEBHOOK_PROPERTIES: Readonly<Record<string, Schema>> = {
  admissionReviewVersions: textList('Versions of AdmissionReview that the webhook understands.'),
  clientConfig: CLIENT_CONFIG,
  failurePolicy: FAILURE_POLICY,
  matchConditions: MATCH_CONDITIONS,
  matchPolicy: MATCH_POLICY,
  name: text('Name of the webhook: a domain name with at least three segments.'),
  namespaceSelector: withDefault(LABEL_SELECTOR, {}),
  objectSelector: withDefault(LABEL_SELECTOR, {}),
  rules: {
    type: 'array',
    'x-kubernetes-list-type': 'atomic',
    description: 'Operations that the webhook is called for.',
    items: definition(`${ADMISSION_DEFINITIONS}.RuleWithOperations`, {
      description: 'Operations on resources.',
      properties: RULE_PROPERTIES,
    }),
  },
  sideEffects: choice(
    ['Unknown', 'None', 'Some', 'NoneOnDryRun'],
    'Side effects of the webhook. It must be None or NoneOnDryRun.',
  ),
  timeoutSeconds: withDefault(integer('Timeout of a call in seconds, from 1 to 30.'), 10),
}

/** Fields that every webhook needs. */
export const WEBHOOK_REQUIRED: readonly string[] = [
  'name',
  'clientConfig',
  'sideEffects',
  'admissionReviewVersions',
]
