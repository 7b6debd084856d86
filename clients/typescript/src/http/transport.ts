import type { ClientOptions } from '../client-options.ts'
import { ApiError } from '../errors/api-error.ts'
import { createApiError } from '../errors/create-api-error.ts'
import { backoff } from './backoff.ts'
import { isTransient } from './is-transient.ts'
import { linkedAbort, type LinkedAbort } from './linked-abort.ts'
import { readError } from './read-error.ts'
import { Repetition } from './repetition.ts'
import type { ApiRequest, ApiResponse } from './request.ts'
import { ServerClock } from './server-clock.ts'
import { sleep } from './sleep.ts'
import { urlOf } from './url-of.ts'

const TIMEOUT_MS = 30_000
const RETRIES = 4
const HEARTBEAT_TIMEOUT_MS = 45_000

/** An open response whose body the caller reads. */
export interface OpenResponse {
  readonly response: Response
  readonly link: LinkedAbort
}

/** Sends requests to a server: tokens, time limits, retries and errors. */
export class Transport {
  /** The URL of the server, without a slash at the end. */
  readonly base: string
  readonly clock = new ServerClock()
  readonly retries: number
  readonly heartbeatTimeout: number
  readonly #options: ClientOptions
  readonly #timeout: number

  constructor(baseUrl: string, options: ClientOptions) {
    this.base = baseUrl.replace(/\/+$/, '')
    this.#options = options
    this.#timeout = options.timeout ?? TIMEOUT_MS
    this.retries = options.retries ?? RETRIES
    this.heartbeatTimeout = options.heartbeatTimeout ?? HEARTBEAT_TIMEOUT_MS
  }

  /** Sends a request and parses its response. Repeats it after failures that may pass. */
  async request<T = unknown>(request: ApiRequest): Promise<ApiResponse<T>> {
    let mayHaveSucceeded = false
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await this.#exchange<T>(request)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        if (mayHaveSucceeded && request.isRepetition?.(error) === true) throw new Repetition(error)
        if (attempts > this.retries || !isRepeatable(error, request.retry)) throw error
        mayHaveSucceeded ||= error.status !== REJECTED
        await sleep(this.retryDelay(attempts, error), request.signal)
      }
    }
  }

  /** Milliseconds before the next attempt after a number of failures in a row. */
  retryDelay(failures: number, error: unknown): number {
    const retryAfter = error instanceof ApiError ? error.retryAfter : null
    return backoff({ failures, retryAfter, random: Math.random() })
  }

  /** Sends a request once and leaves the body to the caller, who must close the link. */
  async open(request: ApiRequest): Promise<OpenResponse> {
    const opened = await this.#send(request)
    if (opened.response.status !== 401 || typeof this.#options.token !== 'function') {
      return await this.#checked(opened)
    }
    opened.link.abort(new Error('the token expired'))
    opened.link.close()
    return await this.#checked(await this.#send(request))
  }

  async #exchange<T>(request: ApiRequest): Promise<ApiResponse<T>> {
    const { response, link } = await this.open(request)
    try {
      link.limit(request.timeout ?? this.#timeout)
      const text = await response.text().catch((cause: unknown) => {
        throw this.#failure(cause, link, request)
      })
      const { status, headers } = response
      return { status, headers, body: text === '' ? undefined : JSON.parse(text) }
    } finally {
      link.close()
    }
  }

  async #send(request: ApiRequest): Promise<OpenResponse> {
    const { signal, timeout = this.#timeout, body, method } = request
    signal?.throwIfAborted()
    const headers = await this.#headersOf(request)
    const link = linkedAbort(signal)
    link.limit(timeout)
    const sentAt = Date.now()
    try {
      const response = await (this.#options.fetch ?? globalThis.fetch)(urlOf(this.base, request), {
        method,
        headers,
        signal: link.signal,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      this.clock.observe(response.headers, sentAt, Date.now())
      return { response, link }
    } catch (cause) {
      link.close()
      throw this.#failure(cause, link, request)
    }
  }

  async #checked(opened: OpenResponse): Promise<OpenResponse> {
    const { response, link } = opened
    if (response.ok) {
      link.limit(null)
      return opened
    }
    const text = await response.text().catch(() => '')
    link.close()
    throw readError(response, text)
  }

  async #headersOf({ headers = {}, body }: ApiRequest): Promise<Record<string, string>> {
    const { token, headers: common = {} } = this.#options
    const bearer = typeof token === 'function' ? await token() : token
    return {
      Accept: 'application/json',
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(bearer !== undefined && bearer !== '' && { Authorization: `Bearer ${bearer}` }),
      ...common,
      ...headers,
    }
  }

  /** The reason of the caller's signal, or the error of an attempt without a response. */
  #failure(cause: unknown, link: LinkedAbort, { method, path, signal }: ApiRequest): unknown {
    if (signal?.aborted === true) return signal.reason
    const code = link.isExpired() ? 'Timeout' : 'NoResponse'
    const why = link.isExpired() ? 'timed out' : `failed without a response: ${detailOf(cause)}`
    return createApiError(
      {
        status: 0,
        code,
        message: `${method} ${this.base}${path} ${why}`,
        requestId: null,
        errors: [],
        retryAfter: null,
      },
      { cause },
    )
  }
}

/** The status of a request that the server did not process. */
const REJECTED = 429

function isRepeatable(error: ApiError, retry: ApiRequest['retry']): boolean {
  return retry === 'always' ? isTransient(error) : error.status === REJECTED
}

/** `fetch` hides the reason of a failure in the cause of its error. */
function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
