import { planePath } from './plane-path.ts'

/** The place of objects in a plane. */
export interface ObjectPlace {
  /** The name or ID of the cluster, or `root`. */
  readonly cluster: string
  /** Empty for the core group. */
  readonly group: string
  readonly version: string
  readonly plural: string
  /** Null for resources without namespaces. */
  readonly namespace: string | null
}

/** The path of a list, an object or its subresource, from the root of the server. */
export function objectPath(place: ObjectPlace, ...segments: readonly string[]): string {
  const { cluster, group, version, plural, namespace } = place
  const api = group === '' ? ['api', version] : ['apis', group, version]
  const within = namespace === null ? [] : ['namespaces', namespace]
  const all = [...api, ...within, plural, ...segments].map((part) => encodeURIComponent(part))
  return planePath(cluster, `/${all.join('/')}`)
}
