import { createApiError } from '../errors/create-api-error.ts'
import { WaitTimeout } from '../errors/wait-timeout.ts'
import { linkedAbort } from '../http/linked-abort.ts'
import type { WatchEvent } from '../watch/watch-event.ts'
import type { ResourceWatchOptions } from './watched-resources.ts'
import type { AnyResource } from './any-resource.ts'

/** The type of a condition, or a function that returns true when the wait is over. */
export type ResourceCheck<T> = string | ((resource: T) => boolean)

/** Options of waits. */
export interface WaitOptions {
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds until the wait fails with WaitTimeout. The default is 120 000. */
  readonly timeout?: number | undefined
}

type Watch<T> = (options: ResourceWatchOptions) => AsyncIterable<WatchEvent<T>>

const TIMEOUT_MS = 120_000

/** Watches one resource until the check passes. */
export async function waitFor<T extends AnyResource>(
  watch: Watch<T>,
  { resource, check }: { readonly resource: T; readonly check: ResourceCheck<T> },
  options: WaitOptions,
): Promise<T> {
  const what = typeof check === 'string' ? `${check} of ${resource.id}` : resource.id
  let latest = resource
  const isDone = (event: WatchEvent<T>, isKnown: boolean) => {
    if ((event.type === 'BOOKMARK' && !isKnown) || event.type === 'DELETED') {
      throw removed(resource.id)
    }
    if ('object' in event) latest = event.object
    return passes(latest, check)
  }
  await watchOne(watch, { id: resource.id, what, isDone }, options)
  return latest
}

/** Watches one resource until it is removed. */
export async function waitForRemoval<T extends AnyResource>(
  watch: Watch<T>,
  { id }: T,
  options: WaitOptions,
): Promise<void> {
  const isDone = ({ type }: WatchEvent<T>, isKnown: boolean) => {
    return type === 'DELETED' || (type === 'BOOKMARK' && !isKnown)
  }
  await watchOne(watch, { id, what: `the removal of ${id}`, isDone }, options)
}

interface Wait<T> {
  readonly id: string
  readonly what: string
  /** Decides after an event; `isKnown` is whether the resource has been sent since the last reset. */
  readonly isDone: (event: WatchEvent<T>, isKnown: boolean) => boolean
}

async function watchOne<T extends AnyResource>(
  watch: Watch<T>,
  { id, what, isDone }: Wait<T>,
  { signal, timeout = TIMEOUT_MS }: WaitOptions,
): Promise<void> {
  const link = linkedAbort(signal)
  link.limit(timeout)
  let isKnown = false
  try {
    for await (const event of watch({ search: `id = '${id}'`, signal: link.signal })) {
      if (event.type === 'RESET') isKnown = false
      else if (event.type !== 'BOOKMARK') isKnown = true
      if (event.type !== 'RESET' && isDone(event, isKnown)) return
    }
  } catch (error) {
    signal?.throwIfAborted()
    if (!link.isExpired()) throw error
    throw new WaitTimeout(`waited ${timeout} ms for ${what}`, { cause: error })
  } finally {
    link.close()
  }
}

function passes<T extends AnyResource>(resource: T, check: ResourceCheck<T>): boolean {
  if (typeof check === 'function') return check(resource)
  const condition = resource.status.conditions.find(({ type }) => type === check)
  return condition?.status === 'True' && condition.observed_generation >= resource.generation
}

function removed(id: string): Error {
  return createApiError({
    status: 404,
    code: 'Removed',
    message: `${id} was removed during the wait`,
    requestId: null,
    errors: [],
    retryAfter: null,
  })
}
