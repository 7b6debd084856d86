import type { ServerResponse } from 'node:http'

/**
 * Responses have this long to finish after their tenant departed. Less than a move waits before it
 * deletes the rows: a slow list must not find some of them deleted.
 */
const GRACE_MS = 1000
const CHECK_MS = 250

/** The open responses of each tenant. */
export interface OpenResponses extends Disposable {
  add(tenant: string, response: ServerResponse): void
  /**
   * Breaks off reads and streams of a tenant that this shard no longer serves, after a grace period.
   */
  depart(tenant: string): void
}

/** Creates the register of open responses. */
export function createOpenResponses(): OpenResponses {
  const open = new Map<string, Set<ServerResponse>>()
  const timers = new Set<NodeJS.Timeout>()

  function breakOff(tenant: string): void {
    const responses = open.get(tenant)
    if (!responses) return
    for (const response of responses) if (isEndable(response)) response.destroy()
    // A request that was routed before the departure may be added late.
    later(CHECK_MS, () => breakOff(tenant))
  }

  function later(ms: number, run: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      run()
    }, ms)
    timers.add(timer.unref())
  }

  return {
    add: (tenant, response) => {
      const responses = open.get(tenant) ?? new Set()
      open.set(tenant, responses.add(response))
      response.once('close', () => {
        responses.delete(response)
        if (responses.size === 0 && open.get(tenant) === responses) open.delete(tenant)
      })
    },
    depart: (tenant) => later(GRACE_MS, () => breakOff(tenant)),
    [Symbol.dispose]: () => {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

/** A write that has not responded yet ends when the database rejects it. */
function isEndable({ req: { method }, headersSent }: ServerResponse): boolean {
  return headersSent || method === 'GET' || method === 'HEAD'
}
