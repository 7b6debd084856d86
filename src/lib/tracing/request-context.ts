import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span, SpanOptions } from './span.ts'

/** A request, as the slow-query log and traces show it. */
export interface RequestFacts {
  readonly id: string
  /** The trace of its client or of this server; null if neither traces it. */
  readonly traceId: string | null
  /** The caller's name; null before authentication and on public paths. */
  user: string | null
  /** The search of the request in TSL; null without one. */
  search: string | null
}

/** The requests that the current code runs for, and its span. */
export interface RequestContext {
  /** The requests that wait for it. A batch has several, work in the background none. */
  readonly requests: readonly RequestFacts[]
  /** Null unless the request is traced. */
  readonly span: Span | null
}

/** Node tracks asynchronous calls only after the first `run`, so an unused storage costs nothing. */
const storage = new AsyncLocalStorage<RequestContext | null>()

/** The context of the current code; null if it is unknown or not recorded. */
export function currentContext(): RequestContext | null {
  return storage.getStore() ?? null
}

/** Runs work, and everything that it awaits, in a context. */
export function runInContext<T>(context: RequestContext | null, work: () => T): T {
  return storage.run(context, work)
}

/** Records the search or the caller of the current request. */
export function recordFacts(facts: Partial<Pick<RequestFacts, 'search' | 'user'>>): void {
  const [request, other] = currentContext()?.requests ?? []
  if (request !== undefined && other === undefined) Object.assign(request, facts)
}

/** Runs work in a span below the current one. Without a current span, only runs it. */
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  const context = currentContext()
  if (!context?.span) return work(null)
  return runInSpan(context.span.child(name, options), context.requests, work)
}

/** Runs work of the background, for which no request waits. */
export function runInBackgroundSpan<T>(span: Span, work: () => Promise<T>): Promise<T> {
  return runInSpan(span, [], work)
}

async function runInSpan<T>(
  span: Span,
  requests: readonly RequestFacts[],
  work: (span: Span) => Promise<T>,
): Promise<T> {
  try {
    const result = await runInContext({ requests, span }, () => work(span))
    span.end()
    return result
  } catch (error) {
    span.end(error)
    throw error
  }
}

/**
 * Runs a batch for all the requests that wait for it, in a span below the first one that is traced.
 * The other requests' spans and the span of the batch link each other.
 */
export async function runTogether<T>(
  name: string,
  contexts: readonly (RequestContext | null)[],
  work: () => Promise<T>,
): Promise<T> {
  const known = contexts.filter((context) => context !== null)
  if (known.length === 0) {
    // Otherwise the batch would run in the context of the request that arrived first.
    return currentContext() === null ? work() : runInContext(null, work)
  }
  const requests = known.flatMap((context) => context.requests)
  const [first, ...others] = known.flatMap(({ span }) => span ?? [])
  if (first === undefined) return runInContext({ requests, span: null }, work)
  const attributes = { 'flotilla.batch.size': contexts.length }
  const span = first.child(`batch ${name}`, { kind: 'internal', attributes, links: others })
  for (const other of others) other.link(span)
  return runInSpan(span, requests, work)
}
