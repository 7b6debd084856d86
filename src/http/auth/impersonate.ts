import type { IncomingMessage } from 'node:http'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import type { Caller } from '../../access/principal.ts'
import { callerOf, findCaller, setCaller } from './caller.ts'
import { recordPermission } from './permissions.ts'

/**
 * The caller of a request with the headers `Impersonate-*`, who acts as the user that they name.
 * Throws `forbidden` unless it may, and `malformed` if the headers name no user.
 */
export type ActAs = (request: IncomingMessage, caller: Caller) => Promise<Caller>

/**
 * The stage that lets callers act as other users. It comes after the rate limit, which counts the
 * authenticated caller.
 */
export function impersonate(actAs: ActAs): RequestHandler {
  return (request, response, next) => {
    const caller = findCaller(response)
    if (caller !== null && hasHeader(request)) return actLater(request, response, next)
    // Most requests have none of the headers, and pay for no promise.
    next()
    return undefined
  }

  async function actLater(request: Request, response: Response, next: NextFunction): Promise<void> {
    const caller = callerOf(response)
    const act = () => actAs(request, caller)
    setCaller(response, await act())
    recordPermission(response, async () => void (await act()))
    next()
  }
}

function hasHeader({ headers }: IncomingMessage): boolean {
  for (const name in headers) if (name.startsWith('impersonate-')) return true
  return false
}
