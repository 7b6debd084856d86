import type { JsonObject } from '../../../lib/json/json.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { PlaneIdentity } from '../../model/native-resource.ts'
import { RBAC_GROUP } from '../rbac/role-objects.ts'

/** A cluster role that a plane has from the start. */
export interface DefaultRole {
  readonly name: string
  /** Shown, and effective unless the role is aggregated. Shared by all planes. */
  readonly rules: readonly JsonObject[]
  /** The role that includes this one, such as `view`. */
  readonly aggregateTo?: string
  /** Whether the role has the rules of the roles that name it in `aggregateTo`. */
  readonly isAggregated?: boolean
}

/** A cluster role binding that a plane has from the start. */
export interface DefaultBinding {
  /** Also the name of the cluster role. */
  readonly name: string
  readonly groups: readonly string[]
}

const API_VERSION = `${RBAC_GROUP}/v1`
const BOOTSTRAPPING = { 'kubernetes.io/bootstrapping': 'rbac-defaults' }
const AUTO_UPDATE = { 'rbac.authorization.kubernetes.io/autoupdate': 'true' }

function aggregationLabel(name: string): string {
  return `rbac.authorization.k8s.io/aggregate-to-${name}`
}

/** The objects of default cluster roles in a plane. */
export function clusterRoleObjects(
  plane: PlaneIdentity,
  roles: readonly DefaultRole[],
): readonly ApiObject[] {
  return roles.map(({ name, rules, aggregateTo, isAggregated }) => ({
    apiVersion: API_VERSION,
    kind: 'ClusterRole',
    metadata: metadataOf(
      plane,
      `clusterroles/${name}`,
      aggregateTo === undefined ? {} : { [aggregationLabel(aggregateTo)]: 'true' },
    ),
    ...(isAggregated === true && {
      aggregationRule: {
        clusterRoleSelectors: [{ matchLabels: { [aggregationLabel(name)]: 'true' } }],
      },
    }),
    rules,
  }))
}

/** The objects of default cluster role bindings in a plane. */
export function clusterRoleBindingObjects(
  plane: PlaneIdentity,
  bindings: readonly DefaultBinding[],
): readonly ApiObject[] {
  return bindings.map(({ name, groups }) => ({
    apiVersion: API_VERSION,
    kind: 'ClusterRoleBinding',
    metadata: metadataOf(plane, `clusterrolebindings/${name}`, {}),
    roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name },
    subjects: groups.map((group) => ({ apiGroup: RBAC_GROUP, kind: 'Group', name: group })),
  }))
}

/** `seed` is the resource and the name. */
function metadataOf(
  { uidOf, createdTime }: PlaneIdentity,
  seed: string,
  labels: Readonly<Record<string, string>>,
): ApiObject['metadata'] {
  return {
    name: seed.slice(seed.indexOf('/') + 1),
    uid: uidOf(seed),
    creationTimestamp: `${createdTime.toISOString().slice(0, 19)}Z`,
    labels: { ...BOOTSTRAPPING, ...labels },
    annotations: AUTO_UPDATE,
  }
}
