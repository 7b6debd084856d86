import type { ApiObject } from '../../model/api-object.ts'
import type { Schema } from '../../model/schema.ts'
import { objectOf, objectsOf, textOf } from '../../../lib/json/json-fields.ts'
import { nativeType } from '../native-type.ts'
import { AGE_COLUMN, computedColumn, NAME_COLUMN, textColumn } from '../printer-columns.ts'
import { atomicList, definition, flag, integer, text, TEXT } from '../schemas/field-schemas.ts'
import { FLOW_CONTROL_DEFINITIONS, FLOW_CONTROL_GROUP, statusOf } from './condition-schema.ts'

function textSet(description: string): Schema {
  return { type: 'array', items: TEXT, description, 'x-kubernetes-list-type': 'set' }
}

function named(kind: string, fields: Readonly<Record<string, string>>): Schema {
  return definition(`${FLOW_CONTROL_DEFINITIONS}.${kind}`, {
    description: `The name of the ${kind}.`,
    properties: Object.fromEntries(
      Object.entries(fields).map(([field, description]) => [field, text(description)]),
    ),
    required: Object.keys(fields),
  })
}

const SUBJECT = definition(`${FLOW_CONTROL_DEFINITIONS}.Subject`, {
  description: 'Selects callers: a user, a group, or a service account of the root plane.',
  properties: {
    group: named('GroupSubject', { name: 'Name of a group, or * for all groups.' }),
    kind: text('User, Group or ServiceAccount: the field that is set.'),
    serviceAccount: named('ServiceAccountSubject', {
      name: 'Name of a service account, or * for all of the namespace.',
      namespace: 'Namespace of the service account.',
    }),
    user: named('UserSubject', { name: 'Name of a user, or * for all users.' }),
  },
  required: ['kind'],
})

const RESOURCE_RULE = definition(`${FLOW_CONTROL_DEFINITIONS}.ResourcePolicyRule`, {
  description: 'Selects requests on resources of planes.',
  properties: {
    apiGroups: textSet('Groups of the resources, or * for all.'),
    clusterScope: flag('Whether requests without a namespace match.'),
    namespaces: textSet('Namespaces of the requests, or * for all.'),
    resources: textSet('Plurals, with a slash and a subresource if any, or * for all.'),
    verbs: textSet('Verbs of the requests, or * for all.'),
  },
  required: ['verbs', 'apiGroups', 'resources'],
})

const NON_RESOURCE_RULE = definition(`${FLOW_CONTROL_DEFINITIONS}.NonResourcePolicyRule`, {
  description: 'Selects other requests, such as those of the REST API.',
  properties: {
    nonResourceURLs: textSet('Paths, which may end in /*, or * for all.'),
    verbs: textSet('HTTP methods in lower case, or * for all.'),
  },
  required: ['verbs', 'nonResourceURLs'],
})

const RULE = definition(`${FLOW_CONTROL_DEFINITIONS}.PolicyRulesWithSubjects`, {
  description: 'Selects requests by their callers, and by their resources or paths.',
  properties: {
    nonResourceRules: atomicList(NON_RESOURCE_RULE, 'Requests on other paths.'),
    resourceRules: atomicList(RESOURCE_RULE, 'Requests on resources.'),
    subjects: atomicList(SUBJECT, 'Callers. One of them must match.'),
  },
  required: ['subjects'],
})

const SPEC = definition(`${FLOW_CONTROL_DEFINITIONS}.FlowSchemaSpec`, {
  description: 'The requests of a flow schema, and their priority level.',
  properties: {
    distinguisherMethod: definition(`${FLOW_CONTROL_DEFINITIONS}.FlowDistinguisherMethod`, {
      description: 'How requests are assigned to queues. Without it, all share one.',
      properties: { type: text('ByUser or ByNamespace.') },
      required: ['type'],
    }),
    matchingPrecedence: integer(
      'Of the flow schemas that match a request, the one with the lowest number applies: 1 to 10000, by default 1000.',
    ),
    priorityLevelConfiguration: definition(
      `${FLOW_CONTROL_DEFINITIONS}.PriorityLevelConfigurationReference`,
      {
        description: 'Names a priority level.',
        properties: { name: text('Name of the PriorityLevelConfiguration.') },
        required: ['name'],
      },
    ),
    rules: atomicList(RULE, 'Rules, of which one must match.'),
  },
  required: ['priorityLevelConfiguration'],
})

function shownDangling({ status }: ApiObject): string {
  const condition = objectsOf(objectOf(status)['conditions']).find(
    ({ type }) => type === 'Dangling',
  )
  return textOf(condition?.['status']) || '?'
}

function shownDistinguisher({ spec }: ApiObject): string {
  return textOf(objectOf(objectOf(spec)['distinguisherMethod'])['type']) || '<none>'
}

/** The type of the rules that assign requests to priority levels. */
export const FLOW_SCHEMA_TYPE = nativeType({
  group: FLOW_CONTROL_GROUP,
  kind: 'FlowSchema',
  plural: 'flowschemas',
  definitions: FLOW_CONTROL_DEFINITIONS,
  namespaced: false,
  hasGeneration: true,
  hasStatus: true,
  description: 'Assigns requests to a priority level, and each of them to a queue.',
  properties: { spec: SPEC, status: statusOf('FlowSchema') },
  printerColumns: [
    NAME_COLUMN,
    textColumn(
      'PriorityLevel',
      '.spec.priorityLevelConfiguration.name',
      'Name of the priority level.',
    ),
    textColumn('MatchingPrecedence', '.spec.matchingPrecedence', 'The lowest one applies.'),
    computedColumn('DistinguisherMethod', 'How queues are chosen.', shownDistinguisher),
    AGE_COLUMN,
    computedColumn('MissingPL', 'Whether the priority level is missing.', shownDangling),
  ],
})
