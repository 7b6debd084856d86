import { must } from '../../lib/assert.ts'

/** The content types of a PATCH, in the order in which `Accept-Patch` names them. */
export const PATCH_TYPES = [
  'application/merge-patch+json',
  'application/json',
  'application/json-patch+json',
] as const

export type PatchType = (typeof PATCH_TYPES)[number]

/** The content type of a PATCH whose body has been read. */
export function patchTypeOf(contentType: string | undefined): PatchType {
  return must(
    PATCH_TYPES.find((type) => type === contentType),
    'a content type of PATCH',
  )
}
