import type { RequestHandler, Response } from 'express'
import type { Authorizer } from '../../access/authorizer.ts'
import type { Context } from '../../store/operations/context.ts'
import { tenantOf } from '../../http/auth/caller.ts'
import type { WatchStreams } from '../../http/streams/watch-streams.ts'
import { permittedKinds } from '../../hyperfleet/query/permitted-kinds.ts'
import { STREAM_EVENTS } from '../../hyperfleet/watch/stream-events.ts'
import { isWatch } from '../../hyperfleet/watch/watch-query.ts'
import type { OverviewText } from './overview-text.ts'
import type { Overviews, OverviewScope } from './overviews.ts'

interface Options {
  readonly operations: Pick<Context, 'registry'>
  readonly authorizer: Authorizer
  readonly overviews: Overviews
  readonly streams: WatchStreams
}

/** GET of `/overview`. It covers the kinds that the caller may list. */
export function getOverview(options: Options): RequestHandler {
  return async (request, response) => {
    const { operations, authorizer } = options
    const verb = isWatch(request) ? 'watch' : 'list'
    const kinds = await permittedKinds({ ...operations, authorizer }, response, verb)
    const scope = { tenant: tenantOf(response), kinds }
    if (isWatch(request)) {
      await watchOverview(options, scope, response)
      return
    }
    response.setHeader('Cache-Control', 'no-store')
    response.json(await options.overviews.read(scope))
  }
}

/** A viewer that has not read the last overview skips the ones before the newest. */
function watchOverview(
  { overviews, streams }: Options,
  scope: OverviewScope,
  response: Response,
): Promise<void> {
  return streams.serve(response, STREAM_EVENTS, async (stream) => {
    let newest: OverviewText | null = null
    let isWaiting = false
    const send = (): void => {
      isWaiting = false
      if (newest) stream.write(newest.frame(stream.format))
    }
    stream.reportVersionsFrom(() => newest?.resourceVersion ?? null)
    if (response.req.method === 'HEAD') {
      stream.end('client')
      return
    }
    const viewing = await overviews.join(scope, (overview) => {
      newest = overview
      if (isWaiting) return
      isWaiting = true
      const { json, resourceVersion } = overview
      stream.deliver({ source: overview, size: json.length, resourceVersion, send })
    })
    stream.disposeOnEnd(viewing)
    stream.start()
  })
}
