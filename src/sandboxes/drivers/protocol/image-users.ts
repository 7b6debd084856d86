/** Whose sandboxes may use an image. */
export interface ImageUsers {
  /** The text of their tenant; empty for those of all tenants. */
  readonly tenant: string
  /** Empty for those of all namespaces. */
  readonly namespace: string
}

/** Whether an image that was registered for some sandboxes is for one of these. */
export function mayUseImage(registeredFor: ImageUsers, { tenant, namespace }: ImageUsers): boolean {
  return (
    (registeredFor.tenant === '' || registeredFor.tenant === tenant) &&
    (registeredFor.namespace === '' || registeredFor.namespace === namespace)
  )
}
