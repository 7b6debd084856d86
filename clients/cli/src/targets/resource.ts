import type { AnyResource, Cluster } from '../../../typescript/src/index.ts'

/** The fields that the resources of every kind have. */
export interface Resource extends AnyResource, Omit<Cluster, 'kind'> {
  readonly kind: string
  /** The parent of a resource that belongs to another one. */
  readonly owner_references?:
    | { readonly kind: string; readonly id: string; readonly href: string }
    | undefined
}
