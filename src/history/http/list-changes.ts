import type { Request } from 'express'
import { stepsInTurns } from '../../lib/async/steps.ts'
import { invalid } from '../../lib/errors.ts'
import { jsonTextInSteps } from '../../lib/json/json-text.ts'
import {
  formatResourceVersion,
  parseResourceVersion,
  type ResourceVersion,
} from '../../store/feed/resource-version.ts'
import { listChanges as readChanges } from '../list-changes.ts'
import { conditionType } from '../../hyperfleet/statuses/conditions/condition-type.ts'
import { serializeDetailedChange } from './change.ts'
import type { VerbHandler } from '../../hyperfleet/verbs/handler.ts'
import { targetOf } from '../../hyperfleet/verbs/requests/path-ids.ts'

const DEFAULT_LIMIT = 50

/** GET of a resource's `/changes`. */
export const listChanges: VerbHandler = (context, route) => async (request, response) => {
  const { operations, representation, wire } = context
  const { query } = request
  const page = await readChanges(operations, targetOf(request, response, route), {
    before: cursorOf(query['before']),
    limit: Number(query['limit'] ?? DEFAULT_LIMIT),
    representation,
    typeOfAdapter: conditionType,
  })
  const form = { family: wire.family, epoch: page.epoch }
  const list = {
    kind: 'ChangeList',
    items: page.entries.map((entry) => serializeDetailedChange(form, entry)),
    next: page.next && formatResourceVersion(page.next),
    complete: page.isComplete,
  }
  context.send(response, await stepsInTurns(jsonTextInSteps(list)))
}

function cursorOf(text: Request['query'][string]): ResourceVersion | null {
  if (text === undefined) return null
  const cursor = typeof text === 'string' ? parseResourceVersion(text) : null
  if (cursor !== null) return cursor
  const message = 'before must be the `next` of a list of changes'
  throw invalid([{ field: 'before', message, constraint: 'format', value: text }])
}
