import { type DefaultRole, resourceRule, ROOT_PLANE } from 'flotilla/planes'
import { AGENTS_GROUP, EXTENSIONS_GROUP, RUNTIME_GROUP } from '../types/sandbox-groups.ts'

const READ = ['get', 'list', 'watch']
const WRITE = ['create', 'update', 'patch', 'delete', 'deletecollection']

function agents(verbs: readonly string[], ...resources: readonly string[]) {
  return resourceRule(verbs, [AGENTS_GROUP], resources)
}

function extensions(verbs: readonly string[], ...resources: readonly string[]) {
  return resourceRule(verbs, [EXTENSIONS_GROUP], resources)
}

const NAMESPACED = ['sandboxes', 'snapshotclaims', 'snapshotclaimtemplates', 'snapshots']
const EXTENSIONS = ['sandboxtemplates', 'sandboxwarmpools', 'sandboxclaims']
const STORES = ['snapshotclasses', 'snapshotproviders']

/**
 * Part of the roles view, edit and admin. Providers and classes belong to administrators of the
 * cluster. exec, restore and fork are separate permissions, so other roles can grant them alone.
 */
const ROLES: readonly DefaultRole[] = [
  {
    name: 'sandbox-view',
    aggregateTo: 'view',
    rules: [
      agents(
        READ,
        ...NAMESPACED,
        'sandboxes/status',
        'snapshotclaims/status',
        'snapshots/status',
        ...STORES,
      ),
      agents(['get'], 'sandboxes/activity'),
      agents(['list'], 'sandboxes/snapshots'),
      extensions(
        READ,
        ...EXTENSIONS,
        'sandboxwarmpools/status',
        'sandboxwarmpools/scale',
        'sandboxclaims/status',
      ),
    ],
  },
  {
    name: 'sandbox-edit',
    aggregateTo: 'edit',
    rules: [
      agents(WRITE, 'sandboxes', 'snapshotclaims', 'snapshotclaimtemplates'),
      agents(['delete', 'deletecollection'], 'snapshots'),
      extensions(WRITE, ...EXTENSIONS),
      extensions(['update', 'patch'], 'sandboxwarmpools/scale'),
      agents(
        ['create'],
        'sandboxes/suspend',
        'sandboxes/resume',
        'sandboxes/activity',
        'sandboxes/snapshots',
      ),
      agents(['create'], 'sandboxes/exec'),
      agents(['get'], 'sandboxes/logs'),
      agents(['create'], 'sandboxes/fork', 'snapshots/restore'),
    ],
  },
]

const RUNTIME_ROLES: readonly DefaultRole[] = [
  {
    name: 'sandbox-runtime',
    rules: [
      resourceRule(
        ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
        [RUNTIME_GROUP],
        ['sandboxruntimes'],
      ),
      resourceRule(['update', 'patch'], [RUNTIME_GROUP], ['sandboxruntimes/status']),
      // The ID of the installation that a runtime registers itself with.
      { ...resourceRule(['get'], [''], ['configmaps']), resourceNames: ['flotilla-installation'] },
    ],
  },
]

/** The roles for sandboxes. Only the root plane has those of runtimes. */
export function sandboxRoles(plane: string): readonly DefaultRole[] {
  return plane === ROOT_PLANE ? [...ROLES, ...RUNTIME_ROLES] : ROLES
}
