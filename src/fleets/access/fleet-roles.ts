import type { DefaultRole } from '../../planes/access/defaults/default-role.ts'
import { resourceRule } from '../../planes/access/defaults/default-rules.ts'
import { isRootPlane } from '../../planes/planes/root-plane.ts'
import { KPLANE_GROUP } from '../types/kplane-group.ts'

const READ = ['get', 'list', 'watch']
const WRITE = ['create', 'update', 'patch', 'delete', 'deletecollection']

function rule(verbs: readonly string[], ...resources: readonly string[]) {
  return resourceRule(verbs, [KPLANE_GROUP], resources)
}

/** Part of the roles view, edit and admin. Writers of fleets create and delete clusters. */
const ROLES: readonly DefaultRole[] = [
  {
    name: 'kplane-view',
    aggregateTo: 'view',
    rules: [rule(READ, 'fleets', 'fleets/status', 'fleets/scale', 'fleets/members', 'scenarios')],
  },
  {
    name: 'kplane-edit',
    aggregateTo: 'edit',
    rules: [
      rule(WRITE, 'fleets', 'scenarios'),
      rule(['update', 'patch'], 'fleets/scale'),
      rule(['create'], 'fleets/claim', 'fleets/renew', 'fleets/release', 'fleets/recycle'),
    ],
  },
  {
    name: 'kplane-claim',
    rules: [rule(['create'], 'fleets/claim', 'fleets/renew', 'fleets/release')],
  },
]

/** The roles for fleets, which only root planes have. */
export function fleetRoles(plane: string): readonly DefaultRole[] {
  return isRootPlane(plane) ? ROLES : []
}
