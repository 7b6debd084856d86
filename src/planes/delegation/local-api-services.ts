import { groupPriority } from '../discovery/group-priorities.ts'
import type { ApiObject } from '../model/api-object.ts'
import type { NativeResource, PlaneIdentity } from '../model/native-resource.ts'
import { initialObject } from '../native/initial-object.ts'
import { API_SERVICE_TYPE } from '../native/api-registration/api-service-type.ts'

const VERSION_PRIORITY = 15
/** Kubernetes ranks the core group above all others. */
const CORE_PRIORITY = 18_000
const LABELS = { 'kube-aggregator.kubernetes.io/automanaged': 'onstart' }

/** The APIServices of the native group versions that a plane serves, which it has from the start. */
export function localApiServices(
  resources: readonly NativeResource[],
): (plane: PlaneIdentity) => readonly ApiObject[] {
  return (plane) =>
    [...versionsOf(resources.filter(({ servedIn }) => servedIn?.(plane.plane) ?? true))].map(
      ([name, { group, version }]) =>
        initialObject(plane, API_SERVICE_TYPE, {
          name,
          labels: LABELS,
          fields: {
            spec: {
              group,
              version,
              groupPriorityMinimum: group === '' ? CORE_PRIORITY : groupPriority(group),
              versionPriority: VERSION_PRIORITY,
            },
            status: { conditions: [availableSince(plane.createdTime)] },
          },
        }),
    )
}

function versionsOf(resources: readonly NativeResource[]) {
  const versions = new Map<string, { readonly group: string; readonly version: string }>()
  for (const { type } of resources) {
    for (const { name, served } of type.versions) {
      const version = { group: type.group, version: name }
      if (served) versions.set(`${name}.${type.group}`, version)
    }
  }
  return versions
}

function availableSince(time: Date) {
  return {
    type: 'Available',
    status: 'True',
    lastTransitionTime: time.toISOString().replace(/\.\d+Z$/, 'Z'),
    reason: 'Local',
    message: 'Local APIServices are always available',
  }
}
