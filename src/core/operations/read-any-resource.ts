import { notFound } from '../../lib/errors.ts'
import type { Context } from './context.ts'
import type { FoundResource } from './resource-reader.ts'

/** Reads the resource with this id, of whatever declared kind; NTF-001 where there is none. */
export async function readAnyResource({ reader }: Context, id: string): Promise<FoundResource> {
  const found = await reader.one(id)
  if (!found) throw notFound('Resource', id)
  return found
}
