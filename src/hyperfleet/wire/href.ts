import type { RegisteredKind } from '../../store/registry/kind.ts'
import { BASE_PATH } from '../paths/base-path.ts'

/** The path of a resource. */
export function hrefOf(kind: RegisteredKind, id: string): string {
  return `${BASE_PATH}/${kind.plural}/${id}`
}
