import { notFound } from '../../lib/errors.ts'
import type { Resource } from '../model/resource.ts'
import { getAnyResource } from '../storage/get-any-resource.ts'
import type { Context } from './context.ts'
import { showExactTimes } from './show-exact-times.ts'

/** Reads the resource with this id, of whatever declared kind; NTF-001 where there is none. */
export async function readAnyResource(
  { database, registry }: Context,
  id: string,
): Promise<Resource> {
  const found = await getAnyResource(database, id)
  const kind = registry.kinds.find((declared) => declared.kind === found?.resource.kind)
  if (!found || !kind) throw notFound('Resource', id)
  return showExactTimes(kind, found.resource, found.reportTimes)
}
