import type { ChangeSubscription } from '../../store/objects/model/change-subscriber.ts'
import type { ObjectChange } from '../../store/objects/model/object-change.ts'
import type { ObjectPage, ObjectQuery } from '../../store/objects/model/object-query.ts'
import type { StoredObject } from '../../store/objects/model/stored-object.ts'
import type { WatchStream } from '../../http/streams/watch-stream.ts'
import { versionExpired } from '../errors/failures.ts'
import { listOptionsOf } from '../requests/request-options.ts'
import type { ListOptions } from '../model/object-operations.ts'
import type { OperationsContext } from '../operations/context.ts'
import { queryOf } from '../operations/reads/list-objects.ts'
import { listAtRevision } from '../operations/reads/required-revision.ts'
import type { VerbRequest } from '../verbs/verb-request.ts'
import { createEventRenderer, type EventRenderer } from './event-renderer.ts'
import type { OrderedDelivery } from './ordered-delivery.ts'
import { serveSubscription, type Watching } from './serve-subscription.ts'
import { watchedType } from './watched-change.ts'
import { type WatchOptions, watchOptionsOf } from './watch-options.ts'

/** Serves a watch of a collection. */
export type ServeWatch = (verb: VerbRequest) => Promise<void>

const INITIAL_PAGE_SIZE = 500
const INITIAL_EVENTS_END = { 'k8s.io/initial-events-end': 'true' }

interface Options extends Watching {
  readonly context: OperationsContext
}

/** Creates the function that serves watches of all planes. */
export function createServeWatch({ context, ...watching }: Options): ServeWatch {
  return async (verb) => {
    const options = watchOptionsOf(verb.query)
    const query = queryOf(verb.target, selectionOf(verb))
    const renderer = createEventRenderer(context, verb)
    await serveSubscription(watching, verb, {
      ...options,
      bookmark: (resourceVersion) => renderer.bookmark(resourceVersion),
      subscribe: (stream, delivery) =>
        startWatch({ context, verb, options, query, stream, renderer }, delivery),
    })
  }
}

/** A watch of one object is a watch of its collection by name. */
function selectionOf({ query, target }: VerbRequest): ListOptions {
  const { labelSelector, fieldSelector } = listOptionsOf(query)
  const byName = target.name === '' ? [] : [`metadata.name=${target.name}`]
  const fields = [...byName, ...(fieldSelector === undefined ? [] : [fieldSelector])].join(',')
  return {
    ...(labelSelector !== undefined && { labelSelector }),
    ...(fields !== '' && { fieldSelector: fields }),
  }
}

interface Watch {
  readonly context: OperationsContext
  readonly verb: VerbRequest
  readonly options: WatchOptions
  readonly query: ObjectQuery
  readonly stream: WatchStream
  readonly renderer: EventRenderer
}

async function startWatch(watch: Watch, delivery: OrderedDelivery): Promise<ChangeSubscription> {
  const { options, stream, renderer } = watch
  if (options.from !== null) {
    const after = options.from === 'now' ? await currentRevision(watch) : options.from
    stream.start()
    return follow(watch, delivery, { after, sent: new Map() })
  }
  const start = await sendInitialObjects(watch, delivery)
  if (options.marksInitialEvents) {
    const version = start.after.toString()
    const json = renderer.bookmark(version, INITIAL_EVENTS_END)
    delivery.send({ source: {}, size: json.length, text: `${json}\n`, revision: start.after })
  }
  return follow(watch, delivery, start)
}

async function currentRevision({ context, query, verb }: Watch): Promise<bigint> {
  const page = await context.storeOf(verb.target.type).list({ ...query, limit: 1 })
  return page.revision
}

interface Start {
  readonly after: bigint
  /** Revisions of the objects that were sent in a later state than `after`, by uid. */
  readonly sent: Map<string, bigint>
}

/** Sends the current objects page by page, while the client keeps up. */
async function sendInitialObjects(watch: Watch, delivery: OrderedDelivery): Promise<Start> {
  const { context, query, options, stream, renderer } = watch
  const store = context.storeOf(watch.verb.target.type)
  const { wait } = watch.verb.requester
  const required = options.notOlderThan === 0n ? {} : { resourceVersion: `${options.notOlderThan}` }
  const sent = new Map<string, bigint>()
  let first: bigint | null = null
  let after: ObjectQuery['after'] = null
  for (;;) {
    const pageQuery: ObjectQuery = { ...query, limit: INITIAL_PAGE_SIZE, after }
    const minimum = first === null ? required : {}
    const page: ObjectPage = await listAtRevision(store, pageQuery, { ...minimum, wait })
    const revision: bigint = (first ??= page.revision)
    stream.start()
    for (const object of page.objects) {
      if (object.revision > revision) sent.set(object.uid, object.revision)
      const text = await renderer.initial(object)
      delivery.send({ source: object, size: text.length, text, revision: null })
    }
    const last: StoredObject | undefined = page.objects.at(-1)
    if (!page.hasMore || !last) return { after: revision, sent }
    after = { namespace: last.namespace, name: last.name }
    await stream.ready()
  }
}

function follow(
  { context, verb, query, stream, renderer }: Watch,
  delivery: OrderedDelivery,
  { after, sent }: Start,
): Promise<ChangeSubscription> {
  const { plane, resource } = query
  const send = (change: ObjectChange): void => {
    if ((sent.get(change.uid) ?? 0n) >= change.revision) return
    const type = watchedType(change, query)
    if (type === null) return
    const { revision } = change
    const size = change.body.length + change.managedFields.length
    delivery.send({ source: change, size, text: renderer.change(change, type), revision })
  }
  return context.storeOf(verb.target.type).follow({ plane, resource }, after, {
    onChanges: (changes) => changes.forEach(send),
    onLost: () => stream.fail(versionExpired()),
    ready: () => stream.ready(),
  })
}
