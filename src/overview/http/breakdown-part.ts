import { addressOf } from '../../hyperfleet/paths/address.ts'
import type { ApiPart } from '../../hyperfleet/routes/api-part.ts'
import type { IndexedField } from '../../store/indexes/indexed-field.ts'
import type { Breakdowns } from '../breakdown/breakdowns.ts'
import { getBreakdown } from './get-breakdown.ts'

/** The breakdown of a kind that the caller may list. */
export function breakdownPart(
  breakdowns: Breakdowns,
  indexedFields: readonly IndexedField[],
): ApiPart {
  return {
    routes: ({ validation, verbs: { operations }, authorizer }) => {
      const template = '/breakdown'
      const { registry } = operations
      const route = { method: 'get', public: false, ...addressOf(template) } as const
      return [
        {
          ...route,
          access: { verb: 'list', resource: '*', subresource: null },
          handlers: [
            ...validation.stages({ method: 'get', template }),
            getBreakdown({ registry, authorizer, breakdowns, indexedFields }),
          ],
        },
      ]
    },
  }
}
