import type { Response } from 'express'
import { formatResourceVersion } from '../../store/feed/resource-version.ts'
import { checkWatch } from '../../store/operations/watch/check-watch.ts'
import { startWatch } from '../../store/operations/watch/start-watch.ts'
import type { WatchScope } from '../../store/operations/watch/watch-scope.ts'
import { type Members, parseFields } from '../query/fields.ts'
import type { Context } from '../../store/operations/context.ts'
import type { Watching } from './watching.ts'
import { listWatcher } from './list-watcher.ts'
import { watchQueryOf } from './watch-query.ts'
import { STREAM_EVENTS } from './stream-events.ts'

interface WatchedList {
  readonly scope: WatchScope
  /** The fields that `fields` can select, and the one that it always includes. */
  readonly members: Members
  readonly always: string
}

/**
 * Handles a list with `watch=true`. Before the first byte, failures are problem responses;
 * afterwards they are the last event. HEAD sends the headers immediately and does not check whether
 * changes after the version exist.
 */
export async function watchList(
  context: { readonly operations: Context; readonly watching: Watching },
  { scope, members, always }: WatchedList,
  response: Response,
): Promise<void> {
  const { operations, watching } = context
  const { watchers } = watching
  const { req: request } = response
  const { search, fields = '', from } = watchQueryOf(request)
  const projection = parseFields(fields, members, always)
  await watching.streams.serve(response, STREAM_EVENTS, async (stream) => {
    const form = { format: stream.format, projection, fields }
    const watcher = listWatcher(stream, (batch) => watching.write(batch, form))
    const asked = { scope, search, from }
    if (request.method === 'HEAD') {
      await checkWatch(operations, asked)
      stream.end('client')
      return
    }
    stream.disposeOnEnd(await startWatch({ context: operations, watchers }, asked, watcher))
    stream.reportVersionsFrom(() => formatResourceVersion(watchers.resourceVersion))
    stream.start()
  })
}
