import { addressOf } from '../../hyperfleet/paths/address.ts'
import type { ApiPart } from '../../hyperfleet/routes/api-part.ts'
import { listAudit } from './list-audit.ts'

/** The list of the audit log. It needs the permission to list `audit`. */
export const auditPart: ApiPart = {
  routes: ({ validation, verbs: { operations }, authorizer }) => {
    const template = '/audit'
    const route = { method: 'get', public: false, ...addressOf(template) } as const
    return [
      {
        ...route,
        access: { verb: 'list', resource: 'audit', subresource: null },
        handlers: [
          ...validation.stages({ method: 'get', template }),
          listAudit({ operations, authorizer }),
        ],
      },
    ]
  },
}
