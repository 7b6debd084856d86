/** The order of the groups that Kubernetes defines. Higher comes first. */
const PRIORITIES: Readonly<Record<string, number>> = {
  'apiregistration.k8s.io': 20_000,
  'events.k8s.io': 17_750,
  'authentication.k8s.io': 17_700,
  'authorization.k8s.io': 17_600,
  'rbac.authorization.k8s.io': 17_000,
  'apiextensions.k8s.io': 16_700,
  'admissionregistration.k8s.io': 16_700,
  'coordination.k8s.io': 16_500,
  'flowcontrol.apiserver.k8s.io': 16_100,
}

const DEFAULT_PRIORITY = 1000

/** The priority of a group in discovery. Groups with equal priorities are sorted by name. */
export function groupPriority(group: string): number {
  return Object.hasOwn(PRIORITIES, group) ? (PRIORITIES[group] ?? 0) : DEFAULT_PRIORITY
}
