import type { DefaultRole } from '../../kube/access/defaults/default-role.ts'
import { resourceRule } from '../../kube/access/defaults/default-rules.ts'
import { ROOT_PLANE } from '../../kube/planes/root-plane.ts'
import { HYPERFLEET_GROUP } from './hyperfleet-group.ts'

const READ = ['get', 'list', 'watch'] as const
const WRITE = ['create', 'update', 'patch', 'delete'] as const

function rule(verbs: readonly string[], ...resources: readonly string[]) {
  return resourceRule(verbs, [HYPERFLEET_GROUP], resources)
}

const ROLES: readonly DefaultRole[] = [
  { name: 'hyperfleet-reader', rules: [rule(READ, '*')] },
  { name: 'hyperfleet-writer', rules: [rule([...READ, ...WRITE], '*')] },
  { name: 'hyperfleet-adapter', rules: [rule(READ, '*'), rule(['update'], '*/status')] },
  { name: 'hyperfleet-reporter', rules: [rule(['report'], 'adapters')] },
]

/** The roles for HyperFleet's kinds, which only the root plane has. */
export function hyperfleetRoles(plane: string): readonly DefaultRole[] {
  return plane === ROOT_PLANE ? ROLES : []
}
