import type {
  OwnerReference,
  ResourceCondition,
} from '../../../typescript/src/generated/hyperfleet.ts'

/** A resource as lists show it, without its spec. */
export interface ListedResource {
  readonly id: string
  readonly kind: string
  readonly name: string
  readonly generation: number
  readonly labels: Readonly<Record<string, string>>
  readonly created_time: string
  readonly updated_time: string
  readonly created_by: string
  readonly deleted_time?: string | undefined
  /** Absent if the resource requires the adapters of its kind. */
  readonly required_adapters?: readonly string[] | undefined
  /** Absent for kinds at the root. */
  readonly owner_references?: OwnerReference | undefined
  readonly status: { readonly conditions: readonly ResourceCondition[] }
}

/** The fields that lists read. The spec can be large, so it is not among them. */
export function listFields(hasParent: boolean): string {
  const fields =
    'kind,name,generation,labels,created_time,updated_time,created_by,deleted_time,required_adapters,status'
  return hasParent ? `${fields},owner_references` : fields
}
