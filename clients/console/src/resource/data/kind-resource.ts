import type {
  AnyResource,
  OwnerReference,
  ResourceStatus,
} from '../../../../typescript/src/index.ts'

/** A resource of any kind. */
export interface KindResource extends AnyResource {
  readonly kind: string
  readonly href: string
  readonly name: string
  readonly spec: Readonly<Record<string, unknown>>
  readonly labels: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>> | undefined
  readonly required_adapters?: readonly string[] | undefined
  readonly references?: readonly unknown[] | undefined
  readonly created_time: string
  readonly created_by: string
  readonly updated_time: string
  readonly updated_by: string
  readonly deleted_by?: string | undefined
  readonly owner_references?: OwnerReference | undefined
  readonly status: ResourceStatus
}
