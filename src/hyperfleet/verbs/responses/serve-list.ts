import type { Request, Response } from 'express'
import type { Context } from '../../../store/operations/context.ts'
import type { PageRequest, ResourcePage } from '../../../store/operations/list/read-page.ts'
import { readState } from '../../../store/operations/read/read-state.ts'
import type { WatchScope } from '../../../store/operations/watch/watch-scope.ts'
import type { RegisteredKind } from '../../../store/registry/kind.ts'
import type { OrderColumn } from '../../../store/resources/list/list-order.ts'
import { tenantOf } from '../../../http/auth/caller.ts'
import { waitOf } from '../../../http/fairness/admission.ts'
import { parseFields } from '../../query/fields.ts'
import { cursorOf, writeCursor } from '../../query/list-cursor.ts'
import { listQueryOf } from '../../query/list-query.ts'
import { minimumVersionOfRequest, waitForMinimumVersion } from '../../query/minimum-version.ts'
import { type OrderRules, parseOrder } from '../../query/order-by.ts'
import { referenceFilterOf } from '../../query/reference-filter.ts'
import { watchList } from '../../watch/watch-list.ts'
import { isWatch } from '../../watch/watch-query.ts'
import { projectableFields } from '../../wire/resource-fields.ts'
import type { ReadContext } from '../handler.ts'
import { sendPage } from './send-page.ts'

interface ResourceList {
  /** The kinds of the items. */
  readonly kinds: readonly RegisteredKind[]
  readonly order: OrderRules<OrderColumn>
  /** `kind` of the response: `ClusterList`. */
  readonly listKind: string
}

/** The resources that one request lists or watches. */
interface ListedScope {
  readonly scope: WatchScope
  readonly read: (context: Context, page: PageRequest) => Promise<ResourcePage>
}

/** Creates the handler of a list of resources: sends a page, or with `watch=true` a stream. */
export function serveList(
  context: ReadContext,
  { kinds, order, listKind }: ResourceList,
): (request: Request, response: Response, listed: ListedScope) => Promise<void> {
  const { operations, defaultPageSize, representation } = context
  const members = projectableFields(kinds)
  return async (request, response, { scope, read }) => {
    if (isWatch(request)) {
      await waitForMinimumVersion(operations, response)
      await watchList(context, { scope, members, always: 'id' }, response)
      return
    }
    const least = minimumVersionOfRequest(request)
    const { fields, orderBy, order: direction, ...query } = listQueryOf(request, defaultPageSize)
    const projection = parseFields(fields, members, 'id')
    const list = {
      scope,
      search: query.search,
      references: referenceFilterOf(request, kinds),
      orderBy: parseOrder(orderBy, direction, order),
    }
    const { page, after } = cursorOf(request, list) ?? { page: query.page, after: null }
    const { search, references, orderBy: terms } = list
    const required = { least, wait: waitOf(response) }
    const { value, resourceVersion } = await readState(operations, required, (state) =>
      read(state, {
        tenant: tenantOf(response),
        search,
        references,
        orderBy: terms,
        page,
        after,
        pageSize: query.pageSize,
        representation,
      }),
    )
    const next = value.next && writeCursor(list, page, value.next)
    const envelope = { kind: listKind, page, resourceVersion, next, projection }
    sendPage(response, context, { envelope, page: value })
  }
}
