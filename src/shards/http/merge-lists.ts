import type { Request, Response } from 'express'
import { FlotillaError, invalid } from '../../lib/errors.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import { MAX_PAGE_SIZE } from '../../store/model/page-size.ts'
import type { RegisteredKind } from '../../store/registry/kind.ts'
import { requestSignal } from '../../http/requests/request-signal.ts'
import { parseFields, project } from '../../hyperfleet/query/fields.ts'
import { projectableFields } from '../../hyperfleet/wire/resource-fields.ts'
import { hasSameOwners, type IsOwned, ownedItems } from './owned-items.ts'
import { failedShard, type ShardClient } from './shard-client.ts'
import { createShardCursor, type Rejection, type ShardCursor } from './shard-cursor.ts'
import { itemOrder } from './wire-order.ts'

/** The maximum number of items before the end of a page. Each shard may have to send that many. */
const MAX_DEPTH = 10_000
const MAX_ATTEMPTS = 3

interface Options {
  readonly client: ShardClient
  readonly kinds: readonly RegisteredKind[]
  readonly defaultPageSize: number
}

/**
 * Serves a list of a system across all shards: reads pages of each shard until the wanted page is
 * complete, merges them in the order of the request, and adds the totals. Fails if a shard does not
 * answer, so a list is never partial. The parameters of the page have been checked.
 */
export async function mergeLists(
  { client, kinds, defaultPageSize }: Options,
  request: Request,
  response: Response,
): Promise<void> {
  if (request.query['after'] !== undefined) throw withoutCursors()
  const { query, page, pageSize, fields } = readQuery(request, defaultPageSize)
  const compare = itemOrder(query.get('orderBy') ?? undefined, query.get('order') ?? undefined)
  const projection = parseFields(fields, projectableFields(kinds), 'id')
  const needed = page * pageSize
  if (needed > MAX_DEPTH) throw tooDeep(needed)
  using ended = requestSignal(response, client.closing)
  const { signal } = ended
  const merged = await readShards(client, { request, query, compare, needed, signal })
  if ('rejection' in merged) {
    response.status(merged.rejection.status).json(merged.rejection.body)
    return
  }
  const { items, summaries, isMoving } = merged
  const shown = items.slice(needed - pageSize)
  const isEstimate =
    isMoving || summaries.some(({ total_is_estimate: estimate }) => estimate === true)
  response.json({
    kind: summaries[0]?.['kind'] ?? '',
    page,
    size: shown.length,
    total: Math.max(items.length, sumOf(summaries.map(({ total }) => Number(total)))),
    ...(isEstimate && { total_is_estimate: true }),
    items: projection ? shown.map((item) => project(item, projection)) : shown,
  })
}

interface Reading {
  readonly request: Request
  readonly query: URLSearchParams
  readonly compare: (first: JsonObject, second: JsonObject) => number
  /** The number of items until the end of the page. */
  readonly needed: number
  /** Ends the reads of the shards. */
  readonly signal: AbortSignal
}

type Merged =
  | {
      readonly items: readonly JsonObject[]
      /** The first page of each shard, without its items. */
      readonly summaries: readonly JsonObject[]
      readonly isMoving: boolean
    }
  | { readonly rejection: Rejection }

/** Reads the shards again if a tenant was moved during the read: both or neither may have shown it. */
async function readShards(
  client: ShardClient,
  { request, query, compare, needed, signal }: Reading,
): Promise<Merged> {
  const { directory } = client
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const moves = await directory.moves()
    const pageSize = Math.min(needed, MAX_PAGE_SIZE)
    const cursors = [...(await directory.shards.cached()).keys()].map((shard) =>
      createShardCursor(client, { shard, request, query, pageSize, signal }),
    )
    const rejections = await Promise.all(cursors.map((cursor) => cursor.read()))
    const rejection = rejections.find((found) => found !== null)
    if (rejection) return { rejection }
    const items = await takeInOrder(cursors, { compare, needed, isOwned: ownedItems(moves) })
    if (!hasSameOwners(moves, await directory.moves())) continue
    const summaries = cursors.map((cursor) => cursor.summary())
    return { items, summaries, isMoving: moves.length > 0 }
  }
  throw new FlotillaError(
    'unavailable',
    'Tenants were moved between shards while the list was read: try again shortly',
  )
}

interface ListQuery {
  /** The parameters without those of the page and the fields. */
  readonly query: URLSearchParams
  readonly page: number
  readonly pageSize: number
  readonly fields: string | undefined
}

function readQuery({ originalUrl }: Request, defaultPageSize: number): ListQuery {
  const at = originalUrl.indexOf('?')
  const query = new URLSearchParams(at < 0 ? '' : originalUrl.slice(at + 1))
  const take = (name: string): string | undefined => {
    const value = query.get(name) ?? undefined
    query.delete(name)
    return value
  }
  const [pageSize, size] = [take('pageSize'), take('size')]
  return {
    query,
    page: Number(take('page') ?? 1),
    pageSize: Math.min(Number(pageSize ?? size ?? defaultPageSize), MAX_PAGE_SIZE),
    fields: take('fields'),
  }
}

/** Whether the parameters of pages have their format. The routes reject others with the details. */
export function hasValidPage({ query: { page, pageSize, size } }: Request): boolean {
  const isNumber = (value: unknown): boolean =>
    value === undefined || (typeof value === 'string' && /^[1-9]\d{0,8}$/.test(value))
  const isOne = pageSize === undefined || size === undefined
  return isOne && [page, pageSize, size].every(isNumber)
}

function tooDeep(needed: number): Error {
  const message = `page: a list across all shards ends after ${MAX_DEPTH} items, and this page ends after ${needed}: name a shard with ?shard=, or narrow the search`
  return invalid([{ field: 'page', message, value: needed }])
}

function withoutCursors(): Error {
  const message =
    'after: a list across all shards has no cursors: name a shard with ?shard=, or send page'
  return invalid([{ field: 'after', message, constraint: 'cursor' }])
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

interface Merging extends Pick<Reading, 'compare' | 'needed'> {
  readonly isOwned: IsOwned
}

async function takeInOrder(
  cursors: readonly ShardCursor[],
  { compare, needed, isOwned }: Merging,
): Promise<readonly JsonObject[]> {
  const taken: JsonObject[] = []
  while (taken.length < needed) {
    await refill(cursors)
    let first: { readonly cursor: ShardCursor; readonly item: JsonObject } | null = null
    for (const cursor of cursors) {
      const item = cursor.head()
      if (item && (!first || compare(item, first.item) < 0)) first = { cursor, item }
    }
    if (!first) break
    first.cursor.take()
    if (isOwned(first.item, first.cursor.shard)) taken.push(first.item)
  }
  return taken
}

async function refill(cursors: readonly ShardCursor[]): Promise<void> {
  for (const cursor of cursors) {
    if (cursor.head() !== null || cursor.isComplete()) continue
    const rejection = await cursor.read()
    if (rejection !== null) throw failedShard(cursor.shard, rejection.status)
  }
}
