import type { ApiPart } from '../../hyperfleet/routes/api-part.ts'
import { listChanges } from './list-changes.ts'
import { listHistory } from './list-history.ts'

/** The changes and the history of each resource. */
export const historyPart: ApiPart = {
  verbs: { 'list-changes': listChanges, 'list-history': listHistory },
}
