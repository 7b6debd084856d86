import type { Session } from './session.ts'

const UNAUTHENTICATED = 401

/**
 * A `fetch` that reports rejected tokens to the session. The SDK asks the session for a token again
 * after a 401, waits there until the user has entered one, and repeats the request.
 */
export function observedFetch(session: Session, send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init)
    if (response.status === UNAUTHENTICATED) {
      const header = new Headers(init?.headers).get('authorization') ?? ''
      session.reject(header.replace(/^Bearer /, ''))
    }
    return response
  }
}
