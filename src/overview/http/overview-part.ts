import { addressOf } from '../../hyperfleet/paths/address.ts'
import type { ApiPart } from '../../hyperfleet/routes/api-part.ts'
import { getOverview } from './get-overview.ts'
import type { Overviews } from './overviews.ts'

/** The overview. It needs a kind that the caller may list, and covers such kinds only. */
export function overviewPart(overviews: Overviews): ApiPart {
  return {
    routes: ({ validation, verbs: { operations }, authorizer, streams }) => {
      const template = '/overview'
      const route = { method: 'get', public: false, ...addressOf(template) } as const
      return [
        {
          ...route,
          access: { verb: 'list', resource: '*', subresource: null },
          handlers: [
            ...validation.stages({ method: 'get', template }),
            getOverview({ operations, authorizer, overviews, streams }),
          ],
        },
      ]
    },
  }
}
