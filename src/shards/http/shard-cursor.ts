import type { Request } from 'express'
import { isJsonObject, type JsonObject } from '../../lib/json/json.ts'
import { askShard, readAnswer, type ShardClient } from './shard-client.ts'

/** Above the maximum size of a page. */
const MAX_ANSWER_BYTES = 80 * 1024 * 1024

/** A response of a shard that rejects the request. */
export interface Rejection {
  readonly status: number
  readonly body: JsonObject
}

/** Reads the list of one shard page by page. */
export interface ShardCursor {
  readonly shard: string
  /** Reads the next page. Returns the response if the shard rejects the request. */
  read(): Promise<Rejection | null>
  /** The first item that was not taken; null if there is none in memory. */
  head(): JsonObject | null
  take(): void
  isComplete(): boolean
  /** The first page, without its items: `kind`, `total`, `total_is_estimate`. */
  summary(): JsonObject
}

interface Options {
  readonly shard: string
  readonly request: Request
  /** The parameters of the list, without those of its pages. */
  readonly query: URLSearchParams
  readonly pageSize: number
  /** Ends reads. */
  readonly signal: AbortSignal
}

/** Starts before the first page. */
export function createShardCursor(
  client: ShardClient,
  { shard, request, query, pageSize, signal }: Options,
): ShardCursor {
  let items: readonly JsonObject[] = []
  let next = 0
  let page = 0
  let summary: JsonObject = {}
  let isComplete = false
  return {
    shard,
    read: async () => {
      page += 1
      const own = new URLSearchParams(query)
      own.set('page', String(page))
      own.set('pageSize', String(pageSize))
      const target = `${request.path}?${own.toString()}`
      const answer = await askShard(client, { shard, request, target, signal })
      const { status, body } = await readAnswer(shard, answer, MAX_ANSWER_BYTES)
      if (status !== 200) return { status, body }
      const { items: found, ...rest } = body
      items = Array.isArray(found) ? found.filter((item) => isJsonObject(item)) : []
      if (page === 1) summary = rest
      next = 0
      isComplete = items.length < pageSize
      return null
    },
    head: () => items[next] ?? null,
    take: () => {
      next += 1
    },
    isComplete: () => isComplete,
    summary: () => summary,
  }
}
