import type { KindDescription } from '../../../typescript/src/generated/hyperfleet.ts'

/** The adapters that a resource requires: those that it declares, or those of its kind. */
export function requiredAdapters(
  resource: { readonly required_adapters?: readonly string[] | undefined },
  kind: Pick<KindDescription, 'required_adapters'> | undefined,
): readonly string[] {
  return resource.required_adapters ?? kind?.required_adapters ?? []
}
