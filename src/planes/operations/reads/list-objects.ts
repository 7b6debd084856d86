import type { ObjectPage, ObjectQuery } from '../../../store/objects/model/object-query.ts'
import { must } from '../../../lib/assert.ts'
import { badRequest } from '../../errors/failures.ts'
import type { ApiList } from '../../model/api-object.ts'
import type { ListOptions, Target } from '../../model/object-operations.ts'
import { apiVersionOf, resourceKey } from '../../model/resource-type.ts'
import { parseSelectors } from '../../selectors/parse-selectors.ts'
import type { OperationsContext } from '../context.ts'
import { boundPage } from './bound-page.ts'
import type { ListPosition } from './continue-token.ts'
import {
  checkVersionMatch,
  listAtRevision,
  parseRevision,
  type RevisionOptions,
} from './required-revision.ts'
import { toVersion, versionOf } from '../versioned-object.ts'

/** Lists objects in the order of namespace and name. */
export async function listObjects(
  context: OperationsContext,
  target: Target,
  options: ListOptions & RevisionOptions,
): Promise<ApiList> {
  const { list, objects } = await readList(context, target, options)
  return { ...list, items: await toVersion(context, target, objects) }
}

/** A page of stored objects and the other members of its list. */
interface StoredList {
  readonly list: Omit<ApiList, 'items'>
  readonly objects: ObjectPage['objects']
}

/** Reads a list without its conversion to the version of the request. */
export async function readList(
  context: OperationsContext,
  target: Target,
  options: ListOptions & RevisionOptions,
): Promise<StoredList> {
  const { type, version } = target
  const list = identityOf(target, options)
  const position = positionOf(context, list, options)
  const required: ListOptions & RevisionOptions = position ? { wait: options.wait } : options
  const query = {
    ...queryOf(target, options, position),
    ...replicaMinimum(required),
    countsRemaining: position === null && isWhole(options),
  }
  const page = boundPage(await listAtRevision(context.storeOf(type), query, required), options)
  const revision = position?.revision ?? page.revision.toString()
  const metadata = {
    resourceVersion: revision,
    ...next(context, page, { list, revision, position }),
  }
  return {
    list: { apiVersion: apiVersionOf(type.group, version), kind: type.listKind, metadata },
    objects: page.objects,
  }
}

/** A list with a minimum version need not be current, unless it asks for an exact version. */
function replicaMinimum({
  resourceVersion = '',
  resourceVersionMatch,
}: ListOptions): Pick<ObjectQuery, 'atLeast'> {
  if (resourceVersion === '' || resourceVersionMatch === 'Exact') return {}
  return { atLeast: parseRevision(resourceVersion) }
}

/** The query of a list or of the initial objects of a watch. */
export function queryOf(
  { plane, type, version, namespace }: Target,
  options: ListOptions,
  position: ListPosition | null = null,
): ObjectQuery {
  return {
    plane,
    resource: resourceKey(type),
    namespace,
    selector: parseSelectors(options, type, versionOf(type, version)),
    limit: options.limit !== undefined && options.limit > 0 ? options.limit : null,
    after: position?.after ?? null,
  }
}

function identityOf({ plane, type, namespace }: Target, options: ListOptions): string {
  const { labelSelector = '', fieldSelector = '' } = options
  return JSON.stringify([plane, resourceKey(type), namespace, labelSelector, fieldSelector])
}

function positionOf(
  { continueTokens }: OperationsContext,
  list: string,
  options: ListOptions,
): ListPosition | null {
  checkVersionMatch(options)
  if (options.continue === undefined || options.continue === '') return null
  if ((options.resourceVersion ?? '') !== '' && options.resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue')
  }
  return continueTokens.decode(options.continue, list)
}

/** Whether a page belongs to a list of all objects. Kubernetes counts no others. */
function isWhole({ limit = 0, labelSelector = '', fieldSelector = '' }: ListOptions): boolean {
  return limit > 0 && labelSelector === '' && fieldSelector === ''
}

interface Continuation {
  readonly list: string
  readonly revision: string
  /** Null for the first page. */
  readonly position: ListPosition | null
}

function next(
  { continueTokens }: OperationsContext,
  { objects, hasMore, remaining }: ObjectPage,
  { list, revision, position }: Continuation,
): { readonly continue?: string; readonly remainingItemCount?: number } {
  if (!hasMore) return {}
  const { namespace, name } = must(objects.at(-1), 'an object before the next page')
  const count = position === null ? remaining : (position.remaining ?? 0) - objects.length
  // Objects may have been created or deleted between the pages.
  const left = count === null || count <= 0 ? null : count
  return {
    continue: continueTokens.encode({
      after: { namespace, name },
      revision,
      list,
      remaining: left,
    }),
    ...(left !== null && { remainingItemCount: left }),
  }
}
