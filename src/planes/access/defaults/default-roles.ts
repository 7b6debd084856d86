import { ALL_SERVICE_ACCOUNTS } from '../rbac/service-account-name.ts'
import { AUTHENTICATED, MASTERS, UNAUTHENTICATED } from '../system-groups.ts'
import type { DefaultBinding, DefaultRole } from './default-role.ts'
import {
  ADMIN_RULES,
  AUTH_DELEGATOR_RULES,
  BASIC_USER_RULES,
  DISCOVERY_RULES,
  EDIT_RULES,
  EVERYTHING_RULES,
  ISSUER_DISCOVERY_RULES,
  MONITORING_RULES,
  PUBLIC_INFO_RULES,
  VIEW_RULES,
} from './default-rules.ts'

/**
 * The cluster roles that every plane has from the start. Roles for users include the roles that
 * are labelled for them, as definitions of custom resources add them.
 */
export const DEFAULT_CLUSTER_ROLES: readonly DefaultRole[] = [
  { name: 'cluster-admin', rules: EVERYTHING_RULES },
  { name: 'admin', isAggregated: true, rules: [...ADMIN_RULES, ...EDIT_RULES, ...VIEW_RULES] },
  {
    name: 'edit',
    isAggregated: true,
    aggregateTo: 'admin',
    rules: [...EDIT_RULES, ...VIEW_RULES],
  },
  { name: 'view', isAggregated: true, aggregateTo: 'edit', rules: VIEW_RULES },
  { name: 'system:aggregate-to-admin', aggregateTo: 'admin', rules: ADMIN_RULES },
  { name: 'system:aggregate-to-edit', aggregateTo: 'edit', rules: EDIT_RULES },
  { name: 'system:aggregate-to-view', aggregateTo: 'view', rules: VIEW_RULES },
  { name: 'system:auth-delegator', rules: AUTH_DELEGATOR_RULES },
  { name: 'system:basic-user', rules: BASIC_USER_RULES },
  { name: 'system:discovery', rules: DISCOVERY_RULES },
  { name: 'system:monitoring', rules: MONITORING_RULES },
  { name: 'system:public-info-viewer', rules: PUBLIC_INFO_RULES },
  { name: 'system:service-account-issuer-discovery', rules: ISSUER_DISCOVERY_RULES },
]

/** The cluster role bindings that every plane has from the start. */
export const DEFAULT_CLUSTER_ROLE_BINDINGS: readonly DefaultBinding[] = [
  { name: 'cluster-admin', groups: [MASTERS] },
  { name: 'system:basic-user', groups: [AUTHENTICATED] },
  { name: 'system:discovery', groups: [AUTHENTICATED] },
  { name: 'system:monitoring', groups: ['system:monitoring'] },
  { name: 'system:public-info-viewer', groups: [AUTHENTICATED, UNAUTHENTICATED] },
  { name: 'system:service-account-issuer-discovery', groups: [ALL_SERVICE_ACCOUNTS] },
]
