/** A kind of objects that a plane serves. */
export interface PlaneKind {
  /** Empty for the core group. */
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly kind: string
  readonly isNamespaced: boolean
  readonly verbs: readonly string[]
  readonly shortNames: readonly string[]
}

/** The plural with its group, which names a kind in a plane, such as `pods` or `deployments.apps`. */
export function resourceOf({ group, plural }: Pick<PlaneKind, 'group' | 'plural'>): string {
  return group === '' ? plural : `${plural}.${group}`
}

/** The group and version as an object has them, such as `v1` or `apps/v1`. */
export function apiVersionOf({ group, version }: Pick<PlaneKind, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`
}
