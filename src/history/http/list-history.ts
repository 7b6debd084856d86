import type { Request } from 'express'
import { listHistory as readHistory } from '../list-history.ts'
import type { HistoryPosition } from '../storage/read-history.ts'
import { stepsInTurns } from '../../lib/async/steps.ts'
import { invalid } from '../../lib/errors.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import { jsonTextInSteps } from '../../lib/json/json-text.ts'
import { serializeHistoryEntry } from './history.ts'
import type { VerbHandler } from '../../hyperfleet/verbs/handler.ts'
import { targetOf } from '../../hyperfleet/verbs/requests/path-ids.ts'

const DEFAULT_LIMIT = 50

/** GET of a resource's `/history`. */
export const listHistory: VerbHandler = (context, route) => async (request, response) => {
  const { operations, representation, wire } = context
  const { query } = request
  const target = targetOf(request, response, route)
  const { rows, next, isComplete } = await readHistory(operations, target, {
    before: positionOf(query['before']),
    limit: Number(query['limit'] ?? DEFAULT_LIMIT),
    representation,
  })
  const items: JsonObject[] = []
  for (const row of rows)
    items.push(await stepsInTurns(serializeHistoryEntry(wire, target.id, row)))
  const cursor = next && `${next.position}.${next.revision}`
  const list = { kind: 'HistoryList', items, next: cursor, complete: isComplete }
  context.send(response, await stepsInTurns(jsonTextInSteps(list)))
}

function positionOf(text: Request['query'][string]): HistoryPosition | null {
  if (text === undefined) return null
  const [, position, revision] =
    typeof text === 'string' ? (/^(\d{1,18})\.(\d{1,18})$/.exec(text) ?? []) : []
  if (position !== undefined && revision !== undefined) {
    return { position: BigInt(position), revision: BigInt(revision) }
  }
  const message = 'before must be the `next` of a page of the history'
  throw invalid([{ field: 'before', message, constraint: 'format', value: text }])
}
