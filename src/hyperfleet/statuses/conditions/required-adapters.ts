import type { Resource } from '../../../store/model/resource.ts'
import type { RegisteredKind } from '../../../store/registry/kind.ts'

/** The adapters whose reports decide the conditions and the removal of a resource. */
export interface Requirements {
  readonly adapters: readonly string[]
  /** The resource declares them itself, in place of its kind. */
  readonly isDeclared: boolean
}

type Requiring = Pick<Resource, 'requiredAdapters' | 'deletedTime'>

/**
 * The adapters of the kind, unless the resource declares others. Once a resource with a declaration
 * is deleted, it also requires every adapter that has reported on it, because this adapter may have
 * created external objects.
 */
export function requirementsOfResource(
  kind: Pick<RegisteredKind, 'requiredAdapters'>,
  { requiredAdapters: declared, deletedTime }: Requiring,
  reports: readonly { readonly adapter: string }[],
): Requirements {
  if (declared === null) return { adapters: kind.requiredAdapters, isDeclared: false }
  if (deletedTime === null) return { adapters: declared, isDeclared: true }
  const reporting = reports.map(({ adapter }) => adapter)
  return { adapters: [...new Set([...declared, ...reporting])], isDeclared: true }
}
