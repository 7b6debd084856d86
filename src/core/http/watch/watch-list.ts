import type { Request, Response } from 'express'
import { formatToken } from '../../feed/token.ts'
import { startWatch } from '../../operations/watch/start-watch.ts'
import type { WatchScope } from '../../operations/watch/watch-scope.ts'
import type { RegisteredKind } from '../../registry/kind.ts'
import { type Members, parseFields } from '../query/fields.ts'
import { isHead } from '../validation/openapi-validation.ts'
import type { ReadContext } from '../verbs/handler.ts'
import { listWatcher } from './list-watcher.ts'
import { watchQueryOf } from './watch-query.ts'

interface WatchedList {
  readonly scope: WatchScope
  /** The kinds that the list is of; none for reports. */
  readonly kinds: readonly RegisteredKind[]
  /** What `fields` can name, and what it always has. */
  readonly members: Members
  readonly always: string
}

/**
 * Answers a list with `watch=true`. What is wrong is a problem as for a list, as long as nothing has
 * been sent; from then on it is an event, the last one.
 */
export async function watchList(
  context: Pick<ReadContext, 'operations' | 'watching'>,
  { scope, kinds, members, always }: WatchedList,
  request: Request,
  response: Response,
): Promise<void> {
  const { operations, watching } = context
  const { search, fields = '', from } = watchQueryOf(request, kinds)
  const projection = parseFields(fields, members, always)
  const stream = watching.streams.begin(request, response)
  const form = { format: stream.format, projection, fields }
  const watcher = listWatcher(stream, from, (batch) => watching.write(batch, form))
  try {
    const asked = { scope, search, from }
    const membership = await startWatch(operations, watching.watchers, asked, watcher)
    stream.signal.addEventListener('abort', () => membership[Symbol.dispose](), { once: true })
    stream.follow(() => formatToken(operations.feed.hub.position))
    if (isHead(response)) stream.end('client')
    else stream.open()
  } catch (error) {
    if (stream.signal.aborted) return
    if (!stream.isOpen) {
      stream.release('refused')
      throw error
    }
    stream.fail(error)
  }
}
