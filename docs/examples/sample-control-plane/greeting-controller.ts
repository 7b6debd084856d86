import { isJsonObject } from 'flotilla'
import {
  type PlaneClient,
  startControlLoop,
  startInformer,
  systemTimers,
  WorkQueue,
} from 'flotilla/controllers'
import type { ApiObject } from 'flotilla/planes'
import { GREETINGS_NAME } from './greetings.ts'

const BACKOFF = { baseMs: 100, maxMs: 30_000 }

/** Writes the message of each greeting into its status. */
export function startGreetingController(client: PlaneClient): AsyncDisposable {
  const timing = { timers: systemTimers, random: Math.random }
  const onError = (error: unknown) => console.error(error)
  const queue = new WorkQueue<ApiObject>({
    ...timing,
    idOf: ({ metadata }) => `${metadata.namespace}/${metadata.name}`,
    backoff: BACKOFF,
    maxSize: 10_000,
    onOverflow: () => undefined,
  })
  const informer = startInformer({
    ...timing,
    client,
    resource: GREETINGS_NAME,
    onChange: ({ type, object }) => {
      if (type !== 'deleted') queue.add(object)
    },
    onError,
  })
  const loop = startControlLoop({
    queue,
    concurrency: 4,
    reconcile: (greeting) => greet(client, greeting),
    onError,
  })
  return {
    [Symbol.asyncDispose]: async () => {
      await informer[Symbol.asyncDispose]()
      await loop[Symbol.asyncDispose]()
    },
  }
}

async function greet(client: PlaneClient, greeting: ApiObject): Promise<void> {
  const { spec, status, metadata } = greeting
  const name = isJsonObject(spec) ? spec['name'] : undefined
  const message = `Hello, ${typeof name === 'string' ? name : 'nobody'}!`
  if (isJsonObject(status) && status['message'] === message) return
  await client.patch(
    GREETINGS_NAME,
    { namespace: metadata.namespace ?? '', name: metadata.name ?? '' },
    { type: 'merge', body: { status: { message } } },
    { subresource: 'status', fieldManager: 'greeting-controller' },
  )
}
