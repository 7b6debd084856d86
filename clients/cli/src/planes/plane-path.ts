/** The name of the plane at the root of the server. */
export const ROOT_PLANE = 'root'

/** A path in the plane of a cluster, or in the root plane, from the root of the server. */
export function planePath(cluster: string, path: string): string {
  return cluster === ROOT_PLANE
    ? path
    : `/clusters/${encodeURIComponent(cluster)}/control-plane${path}`
}
