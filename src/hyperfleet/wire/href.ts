import type { RegisteredKind } from '../../store/registry/kind.ts'

/** The path of a resource. */
export function hrefOf(kind: RegisteredKind, id: string): string {
  return kind.hrefPrefix + id
}
