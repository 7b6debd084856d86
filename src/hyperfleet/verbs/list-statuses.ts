import { listStatusPage, type StatusColumn } from '../statuses/operations/list-statuses.ts'
import { serializeAdapterStatus } from '../wire/adapter-status.ts'
import { serializeList } from '../wire/list.ts'
import { type Members, parseFields } from '../query/fields.ts'
import { waitForMinimumVersion } from '../query/minimum-version.ts'
import { listQueryOf } from '../query/list-query.ts'
import { parseOrder } from '../query/order-by.ts'
import type { VerbHandler } from './handler.ts'
import { watchList } from '../watch/watch-list.ts'
import { isWatch } from '../watch/watch-query.ts'
import { targetOf } from './requests/path-ids.ts'
import { RESOURCE_VERSION_HEADER, resourceVersionOf } from './responses/send-page.ts'

const COLUMNS = ['adapter', 'observed_generation', 'created_time', 'last_report_time'] as const

const ORDER = {
  columnOf: (field: string): StatusColumn | null => COLUMNS.find((name) => name === field) ?? null,
  allowed: COLUMNS.join(', '),
  fallback: { column: 'adapter', direction: 'asc' },
  tieBreak: 'adapter',
} as const

const MEMBERS: Members = {
  adapter: 'leaf',
  observed_generation: 'leaf',
  conditions: 'leaf',
  data: 'document',
  metadata: 'document',
  created_time: 'leaf',
  last_report_time: 'leaf',
}

/** GET of a resource's `/statuses`. */
export const listStatuses: VerbHandler = (context, route) => async (request, response) => {
  const { operations, defaultPageSize } = context
  const target = targetOf(request, response, route)
  await waitForMinimumVersion(operations, response)
  if (isWatch(request)) {
    const scope = { subject: 'statuses', target } as const
    const list = { scope, members: MEMBERS, always: 'adapter' }
    await watchList(context, list, response)
    return
  }
  const resourceVersion = resourceVersionOf(context)
  const query = listQueryOf(request, defaultPageSize)
  const projection = parseFields(query.fields, MEMBERS, 'adapter')
  const page = await listStatusPage(operations, target, {
    search: query.search,
    orderBy: parseOrder<StatusColumn>(query.orderBy, query.order, ORDER),
    page: query.page,
    pageSize: query.pageSize,
  })
  const items = page.items.map(serializeAdapterStatus)
  const envelope = { kind: 'AdapterStatusList', page: query.page, resourceVersion, projection }
  response.setHeader(RESOURCE_VERSION_HEADER, resourceVersion)
  response.json(serializeList(envelope, { ...page, items }))
}
