import { textOf } from '../../../lib/json/json-fields.ts'
import { defineKind } from '../../../store/registry/kind.ts'

/** The adapter that counts the resources of views with an alert: the server itself. */
export const ALERTS_ADAPTER = 'alerts'

const FIRING = `statuses.filter(s, s.adapter == "${ALERTS_ADAPTER}" && s.conditions.exists(c, c.type == "Firing"))`
const FIRST_FIRING = `${FIRING}[0].conditions.filter(c, c.type == "Firing")[0]`

/** A saved list: the resources of a kind that match a search, perhaps with an alert. */
export const view = defineKind({
  kind: 'View',
  plural: 'views',
  singular: 'view',
  parent: null,
  name: { minLength: 3, maxLength: 53 },
  spec: new URL('spec.yaml', import.meta.url),
  requiredAdapters: [ALERTS_ADAPTER],
  isReportedByServer: true,
  references: [],
  withAllKinds: false,
  selects: (spec) => ({
    kind: textOf(spec['kind']),
    search: textOf(spec['search']),
    order: textOf(spec['order']),
  }),
  conditions: [
    {
      type: 'Firing',
      when: `${FIRING}.size() > 0`,
      status: `${FIRST_FIRING}.status`,
      reason: `${FIRST_FIRING}.reason`,
      message: `${FIRST_FIRING}.message`,
    },
  ],
  messages: {
    available: 'The resources of the view can be counted',
    ready: 'The view is evaluated at its current generation',
  },
})
