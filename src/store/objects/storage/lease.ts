/** The leases of fences, and the path of the number of transitions in them. */
export const LEASE = {
  plane: 'root',
  resource: 'leases.coordination.k8s.io',
  path: ['spec', 'leaseTransitions'],
}
