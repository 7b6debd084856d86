import { addressOf } from '../../hyperfleet/paths/address.ts'
import type { ApiPart } from '../../hyperfleet/routes/api-part.ts'
import type { Adapters } from '../adapters/adapters.ts'
import { getAdapters } from './get-adapters.ts'

/** The adapters of a kind that the caller may list. */
export function adaptersPart(adapters: Adapters): ApiPart {
  return {
    routes: ({ validation, verbs: { operations }, authorizer }) => {
      const template = '/adapters'
      const { registry } = operations
      const route = { method: 'get', public: false, ...addressOf(template) } as const
      return [
        {
          ...route,
          access: { verb: 'list', resource: '*', subresource: null },
          handlers: [
            ...validation.stages({ method: 'get', template }),
            getAdapters({ registry, authorizer, adapters }),
          ],
        },
      ]
    },
  }
}
