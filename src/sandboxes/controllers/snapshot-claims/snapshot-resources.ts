import type { ObjectName, ResourceName } from 'flotilla/controllers'

export const SANDBOXES = named('sandboxes')
export const PROVIDERS = named('snapshotproviders')
export const CLASSES = named('snapshotclasses')
export const CLAIMS = named('snapshotclaims')
export const CLAIM_TEMPLATES = named('snapshotclaimtemplates')
export const SNAPSHOTS = named('snapshots')

function named(plural: string): ResourceName {
  return { group: 'agents.x-k8s.io', version: 'v1beta1', plural }
}

/** Selects the snapshots of a sandbox by its name. Those of a former one of the name have its uid. */
export function snapshotsOf({ namespace, name }: ObjectName) {
  return { namespace, fieldSelector: `spec.sandboxRef.name=${name}` }
}
