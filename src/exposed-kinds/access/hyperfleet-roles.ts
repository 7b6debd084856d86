import type { RegisteredKind } from '../../store/registry/kind.ts'
import type { DefaultRole } from '../../planes/access/defaults/default-role.ts'
import { resourceRule } from '../../planes/access/defaults/default-rules.ts'
import { isRootPlane } from '../../planes/planes/root-plane.ts'
import { HYPERFLEET_GROUP } from './hyperfleet-group.ts'

const READ = ['get', 'list', 'watch'] as const
const WRITE = ['create', 'update', 'patch', 'delete'] as const
const WEBHOOKS = ['webhooks', 'webhooks/deliveries'] as const

function rule(verbs: readonly string[], resources: readonly string[]) {
  return resourceRule(verbs, [HYPERFLEET_GROUP], resources)
}

/**
 * The roles for HyperFleet's kinds, which only root planes have. They name the kinds, so that they
 * grant neither the audit log nor webhooks.
 */
export function hyperfleetRoles(
  plane: string,
  kinds: readonly Pick<RegisteredKind, 'plural' | 'subresources'>[],
): readonly DefaultRole[] {
  if (!isRootPlane(plane)) return []
  const resources = kinds.flatMap(({ plural, subresources = [] }) => [
    plural,
    `${plural}/status`,
    ...subresources.map(({ segment }) => `${plural}/${segment}`),
  ])
  const read = rule(READ, resources)
  return [
    { name: 'hyperfleet-reader', rules: [read] },
    { name: 'hyperfleet-writer', rules: [rule([...READ, ...WRITE], resources)] },
    { name: 'hyperfleet-adapter', rules: [read, rule(['update'], ['*/status'])] },
    { name: 'hyperfleet-reporter', rules: [rule(['report'], ['adapters'])] },
    { name: 'hyperfleet-auditor', rules: [rule(['list'], ['audit'])] },
    { name: 'hyperfleet-webhook-admin', rules: [rule([...READ, ...WRITE], WEBHOOKS)] },
  ]
}
