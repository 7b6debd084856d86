import type { Schema } from '../../model/schema.ts'
import {
  atomicList,
  atomicMap,
  definition,
  text,
  textList,
  withDefault,
} from '../schemas/field-schemas.ts'
import { LABEL_SELECTOR } from '../schemas/label-selector.ts'

/** Prefix of the definitions of access rules. */
export const RBAC_DEFINITIONS = 'io.k8s.api.rbac.v1'
/** The group of roles and bindings. */
export const RBAC_GROUP = 'rbac.authorization.k8s.io'

const POLICY_RULE = definition(`${RBAC_DEFINITIONS}.PolicyRule`, {
  description: 'Verbs that are allowed on resources or paths.',
  properties: {
    apiGroups: textList('Groups of the resources. "" is the core group, * every group.'),
    nonResourceURLs: textList('Paths outside of resources. A final * matches any suffix.'),
    resourceNames: textList('Names of the objects. Empty allows every object.'),
    resources: textList('Plurals of the resources, such as configmaps or configmaps/status.'),
    verbs: textList('Verbs such as get, list and create. * allows every verb.'),
  },
  required: ['verbs'],
})

/** The rules of a role. */
export const RULES: Schema = atomicList(POLICY_RULE, 'Rules of the role. Each allows more.')

/** The cluster roles whose rules a cluster role collects. */
export const AGGREGATION_RULE: Schema = definition(`${RBAC_DEFINITIONS}.AggregationRule`, {
  description: 'Selects cluster roles whose rules are copied to this role.',
  properties: {
    clusterRoleSelectors: atomicList(
      LABEL_SELECTOR,
      'Selectors of cluster roles. The rules of every selected role are added.',
    ),
  },
})

const SUBJECT = atomicMap(
  definition(`${RBAC_DEFINITIONS}.Subject`, {
    description: 'A user, group or service account.',
    properties: {
      apiGroup: text(
        `Group of the kind. Empty for service accounts, ${RBAC_GROUP} for users and groups.`,
      ),
      kind: text('User, Group or ServiceAccount.'),
      name: text('Name of the subject.'),
      namespace: text('Namespace of a service account; empty for users and groups.'),
    },
    required: ['kind', 'name'],
  }),
)

/** The subjects of a binding. */
export const SUBJECTS: Schema = atomicList(SUBJECT, 'Users, groups and service accounts.')

/** The role of a binding. */
export const ROLE_REF: Schema = atomicMap(
  definition(`${RBAC_DEFINITIONS}.RoleRef`, {
    description: 'The role that a binding grants. It never changes.',
    properties: {
      apiGroup: withDefault(text('Group of the role.'), RBAC_GROUP),
      kind: text('Role or ClusterRole.'),
      name: text('Name of the role.'),
    },
    required: ['apiGroup', 'kind', 'name'],
  }),
)
