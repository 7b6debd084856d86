import type { Schema } from '../model/schema.ts'
import {
  bytes,
  definition,
  flag,
  integer,
  keyedList,
  longInteger,
  text,
  textList,
  time,
  atomicList,
  withDefault,
} from '../native/schemas/field-schemas.ts'

const PACKAGE = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1'

const NAMES: Schema = definition(`${PACKAGE}.CustomResourceDefinitionNames`, {
  description: 'Names of the resource and its kind, for paths, discovery and clients.',
  properties: {
    plural: text('Plural name in lower case, as in paths. It cannot change.'),
    singular: text('Singular name in lower case. The default is the kind in lower case.'),
    kind: text('Kind of the objects, in CamelCase.'),
    listKind: text('Kind of lists. The default is the kind followed by `List`.'),
    shortNames: textList('Short names that clients accept.'),
    categories: textList('Groups of resources that the resource belongs to, such as `all`.'),
  },
  required: ['plural', 'kind'],
})

/** The structure of nested schemas is checked by the rules for structural schemas. */
const JSON_SCHEMA: Schema = {
  type: 'object',
  definition: `${PACKAGE}.JSONSchemaProps`,
  description: 'OpenAPI v3 schema of the objects. It must be structural.',
  'x-kubernetes-preserve-unknown-fields': true,
}

const COLUMN: Schema = definition(`${PACKAGE}.CustomResourceColumnDefinition`, {
  description: 'Column of the table of objects.',
  properties: {
    name: text('Title of the column.'),
    type: text('Type of the values: string, integer, number, boolean or date.'),
    format: text('Format of the values, such as `int32` or `date-time`.'),
    description: text('Explanation of the column.'),
    priority: integer('0 is always shown, higher numbers in wide tables only.'),
    jsonPath: text('Simple JSONPath of the value, such as `.spec.replicas`.'),
  },
  required: ['name', 'type', 'jsonPath'],
})

const SCALE: Schema = definition(`${PACKAGE}.CustomResourceSubresourceScale`, {
  description: 'Paths of the values of the scale subresource.',
  properties: {
    specReplicasPath: text('Path below `.spec` of the desired number of replicas.'),
    statusReplicasPath: text('Path below `.status` of the current number of replicas.'),
    labelSelectorPath: text('Path below `.spec` or `.status` of the selector as a text.'),
  },
  required: ['specReplicasPath', 'statusReplicasPath'],
})

const SUBRESOURCES: Schema = definition(`${PACKAGE}.CustomResourceSubresources`, {
  description: 'Subresources of the objects.',
  properties: {
    status: {
      type: 'object',
      description: 'Enables the status subresource: the resource itself then ignores `status`.',
      'x-kubernetes-preserve-unknown-fields': true,
    },
    scale: SCALE,
  },
})

const VERSION: Schema = definition(`${PACKAGE}.CustomResourceDefinitionVersion`, {
  description: 'Version of the resource.',
  properties: {
    name: text('Name such as `v1` or `v2beta1`.'),
    served: flag('Whether the API serves the version.'),
    storage: flag('Whether objects are stored in this version. Exactly one version has it.'),
    deprecated: flag('Whether requests to the version receive a warning.'),
    deprecationWarning: text('Text of the warning.'),
    schema: definition(`${PACKAGE}.CustomResourceValidation`, {
      description: 'Schema of the version.',
      properties: { openAPIV3Schema: JSON_SCHEMA },
    }),
    subresources: SUBRESOURCES,
    additionalPrinterColumns: atomicList(COLUMN, 'Columns of tables in addition to the name.'),
    selectableFields: atomicList(
      definition(`${PACKAGE}.SelectableField`, {
        description: 'Field that field selectors may use.',
        properties: { jsonPath: text('Simple JSONPath of the field, such as `.spec.color`.') },
        required: ['jsonPath'],
      }),
      'Fields that field selectors may use, at most 8.',
    ),
  },
  required: ['name', 'served', 'storage'],
})

const CLIENT_CONFIG: Schema = definition(`${PACKAGE}.WebhookClientConfig`, {
  description: 'Address of the webhook.',
  properties: {
    url: text('URL of the webhook. Its host must be allowed by the server.'),
    caBundle: bytes('Certificates in PEM that the webhook is verified with.'),
    service: definition(`${PACKAGE}.ServiceReference`, {
      description: 'Service of the webhook. This server has no services: use `url`.',
      properties: {
        namespace: text('Namespace of the service.'),
        name: text('Name of the service.'),
        path: text('Path of the URL.'),
        port: integer('Port of the service.'),
      },
      required: ['namespace', 'name'],
    }),
  },
})

const CONVERSION: Schema = definition(`${PACKAGE}.CustomResourceConversion`, {
  description: 'Conversion of objects between versions.',
  properties: {
    strategy: text('`None` changes only the version; `Webhook` calls a server.'),
    webhook: definition(`${PACKAGE}.WebhookConversion`, {
      description: 'Webhook that converts objects.',
      properties: {
        clientConfig: CLIENT_CONFIG,
        conversionReviewVersions: textList('Versions of ConversionReview that it accepts.'),
      },
      required: ['conversionReviewVersions'],
    }),
  },
  required: ['strategy'],
})

/** The schema of `spec`. */
export const DEFINITION_SPEC: Schema = definition(`${PACKAGE}.CustomResourceDefinitionSpec`, {
  description: 'Declaration of a resource.',
  properties: {
    group: text('API group, such as `example.com`. It cannot change.'),
    names: NAMES,
    scope: text('`Namespaced` or `Cluster`.'),
    versions: atomicList(VERSION, 'Versions of the resource.'),
    conversion: CONVERSION,
    preserveUnknownFields: flag('Deprecated: must be false.'),
  },
  required: ['group', 'names', 'scope', 'versions'],
})

const CONDITION: Schema = definition(`${PACKAGE}.CustomResourceDefinitionCondition`, {
  description: 'Observation about the state of the definition.',
  properties: {
    // In Kubernetes, an absent text is an empty one.
    type: withDefault(text('Type of the condition, such as `Established`.'), ''),
    status: withDefault(text('True, False or Unknown.'), ''),
    lastTransitionTime: time('Last time the status changed.'),
    reason: text('Reason in CamelCase.'),
    message: text('Explanation for readers.'),
    observedGeneration: longInteger('Generation that was observed.'),
  },
  required: ['type', 'status'],
})

/** The schema of `status`. */
export const DEFINITION_STATUS: Schema = definition(`${PACKAGE}.CustomResourceDefinitionStatus`, {
  description: 'State of the definition, which the server maintains.',
  properties: {
    conditions: keyedList(CONDITION, ['type'], 'Observations about the state.'),
    acceptedNames: NAMES,
    storedVersions: textList('Versions in which objects may be stored.'),
    observedGeneration: longInteger('Generation that was observed.'),
  },
})
