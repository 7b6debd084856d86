import { hrefPrefix } from '../../store/registry/href.ts'
import type { RegisteredKind } from '../../store/registry/kind.ts'

/** The path of a resource. */
export function hrefOf(kind: RegisteredKind, id: string): string {
  return hrefPrefix(kind) + id
}
