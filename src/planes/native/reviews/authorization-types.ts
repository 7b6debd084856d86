import type { ResourceType } from '../../model/resource-type.ts'
import type { Schema } from '../../model/schema.ts'
import { nativeType } from '../native-type.ts'
import { atomicList, definition, flag, mapOf, text, textList } from '../schemas/field-schemas.ts'
import {
  FIELD_SELECTOR_REQUIREMENT,
  LABEL_SELECTOR_REQUIREMENT,
} from '../schemas/label-selector.ts'

const GROUP = 'authorization.k8s.io'
const DEFINITIONS = 'io.k8s.api.authorization.v1'

function selectorAttributes(name: string, requirement: Schema, description: string): Schema {
  return definition(`${DEFINITIONS}.${name}`, {
    description,
    properties: {
      rawSelector: text('The selector as a query parameter has it.'),
      requirements: atomicList(requirement, 'The requirements of the selector.'),
    },
  })
}

const RESOURCE_ATTRIBUTES = definition(`${DEFINITIONS}.ResourceAttributes`, {
  description: 'An operation on a resource.',
  properties: {
    fieldSelector: selectorAttributes(
      'FieldSelectorAttributes',
      FIELD_SELECTOR_REQUIREMENT,
      'A limitation of the operation by a field selector.',
    ),
    group: text('Group of the resource. * means all groups.'),
    labelSelector: selectorAttributes(
      'LabelSelectorAttributes',
      LABEL_SELECTOR_REQUIREMENT,
      'A limitation of the operation by a label selector.',
    ),
    name: text('Name of the object. Empty means all objects.'),
    namespace: text('Namespace of the object. Empty means all namespaces or none.'),
    resource: text('Plural of the resource. * means all resources.'),
    subresource: text('Subresource. Empty means none.'),
    verb: text('Verb such as get. * means all verbs.'),
    version: text('Version of the resource. * means all versions.'),
  },
})

const NON_RESOURCE_ATTRIBUTES = definition(`${DEFINITIONS}.NonResourceAttributes`, {
  description: 'A request to a path outside of resources.',
  properties: { path: text('Path of the URL.'), verb: text('HTTP method in lower case.') },
})

const OPERATION = {
  nonResourceAttributes: NON_RESOURCE_ATTRIBUTES,
  resourceAttributes: RESOURCE_ATTRIBUTES,
}

const ACCESS_SPEC = definition(`${DEFINITIONS}.SubjectAccessReviewSpec`, {
  description: 'The user and the operation. Exactly one of the two attributes must be set.',
  properties: {
    extra: mapOf(
      { type: 'array', items: { type: 'string' } },
      'Further attributes of the user, with several values each.',
    ),
    groups: textList('Groups of the user.'),
    ...OPERATION,
    uid: text('Unique identifier of the user.'),
    user: text('Name of the user.'),
  },
})

const SELF_ACCESS_SPEC = definition(`${DEFINITIONS}.SelfSubjectAccessReviewSpec`, {
  description: 'The operation. Exactly one of the two attributes must be set.',
  properties: OPERATION,
})

const ACCESS_STATUS = definition(`${DEFINITIONS}.SubjectAccessReviewStatus`, {
  description: 'The decision.',
  properties: {
    allowed: flag('Whether the operation is allowed.'),
    denied: flag('Whether the operation is denied, regardless of other authorizers.'),
    evaluationError: text('Error during the decision. The decision may still be valid.'),
    reason: text('Reason of the decision.'),
  },
  required: ['allowed'],
})

const RULES_STATUS = definition(`${DEFINITIONS}.SubjectRulesReviewStatus`, {
  description: 'The rules that apply to the user.',
  properties: {
    evaluationError: text('Error during the evaluation. The rules may be incomplete.'),
    incomplete: flag('Whether rules may be missing.'),
    nonResourceRules: atomicList(
      definition(`${DEFINITIONS}.NonResourceRule`, {
        description: 'Verbs that are allowed on paths.',
        properties: {
          nonResourceURLs: textList('Paths. A final * matches any suffix.'),
          verbs: textList('HTTP methods in lower case.'),
        },
        required: ['verbs'],
      }),
      'Rules for paths.',
    ),
    resourceRules: atomicList(
      definition(`${DEFINITIONS}.ResourceRule`, {
        description: 'Verbs that are allowed on resources.',
        properties: {
          apiGroups: textList('Groups of the resources.'),
          resourceNames: textList('Names of the objects. Empty allows every object.'),
          resources: textList('Plurals of the resources.'),
          verbs: textList('Verbs such as get.'),
        },
        required: ['verbs'],
      }),
      'Rules for resources.',
    ),
  },
  required: ['resourceRules', 'nonResourceRules', 'incomplete'],
})

interface Review {
  readonly kind: string
  readonly description: string
  readonly namespaced: boolean
  readonly spec: Schema
  readonly status: Schema
}

function reviewType({ kind, description, namespaced, spec, status }: Review): ResourceType {
  return nativeType({
    group: GROUP,
    kind,
    plural: `${kind.toLowerCase()}s`,
    definitions: DEFINITIONS,
    namespaced,
    verbs: ['create'],
    description,
    properties: { spec, status },
    required: ['spec'],
    printerColumns: [],
  })
}

/** The type of questions whether a user may perform an operation. */
export const SUBJECT_ACCESS_REVIEW_TYPE = reviewType({
  kind: 'SubjectAccessReview',
  description: 'Asks whether a user may perform an operation.',
  namespaced: false,
  spec: ACCESS_SPEC,
  status: ACCESS_STATUS,
})

/** The type of questions about operations in one namespace. */
export const LOCAL_SUBJECT_ACCESS_REVIEW_TYPE = reviewType({
  kind: 'LocalSubjectAccessReview',
  description: 'Asks whether a user may perform an operation in a namespace.',
  namespaced: true,
  spec: ACCESS_SPEC,
  status: ACCESS_STATUS,
})

/** The type of questions whether the caller may perform an operation. */
export const SELF_SUBJECT_ACCESS_REVIEW_TYPE = reviewType({
  kind: 'SelfSubjectAccessReview',
  description: 'Asks whether the caller may perform an operation.',
  namespaced: false,
  spec: SELF_ACCESS_SPEC,
  status: ACCESS_STATUS,
})

/** The type of questions about everything that the caller may do in a namespace. */
export const SELF_SUBJECT_RULES_REVIEW_TYPE = reviewType({
  kind: 'SelfSubjectRulesReview',
  description: 'Lists the operations that the caller may perform in a namespace.',
  namespaced: false,
  spec: definition(`${DEFINITIONS}.SelfSubjectRulesReviewSpec`, {
    description: 'The namespace.',
    properties: { namespace: text('Namespace of the rules. Required.') },
  }),
  status: RULES_STATUS,
})
