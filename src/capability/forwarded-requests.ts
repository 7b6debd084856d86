import type { IncomingMessage } from 'node:http'

/** The statement of another server of this installation about a request that it has forwarded. */
interface Forwarded {
  /** The address of the client. */
  readonly clientAddress: string
}

type ReadForwarded = (request: IncomingMessage) => Forwarded | null

/** Recognizes the requests that other servers of this installation forward. */
export interface ForwardedRequests {
  readonly read: ReadForwarded
  /** Sets how. Without it, no request is forwarded. */
  recognize(read: ReadForwarded): void
}

/** Begins without a way to recognize them. */
export function createForwardedRequests(): ForwardedRequests {
  let current: ReadForwarded = () => null
  return {
    read: (request) => current(request),
    recognize: (read) => {
      current = read
    },
  }
}
