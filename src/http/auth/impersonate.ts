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

/** Waits until a request may continue as the user that its caller acts as. */
type AdmitAs = (
  request: Request,
  response: Response,
  users: { readonly caller: Caller; readonly acting: Caller },
) => Promise<void> | null

/**
 * The stage that lets callers act as other users. It comes after the rate limit, which counts the
 * authenticated caller.
 */
export function impersonate(actAs: ActAs, admitAs: AdmitAs): RequestHandler {
  return (request, response, next) => {
    const caller = findCaller(response)
    if (caller !== null && isImpersonating(request)) return actLater(request, response, next)
    // Most requests have none of the headers, and pay for no promise.
    next()
    return undefined
  }

  async function actLater(request: Request, response: Response, next: NextFunction): Promise<void> {
    const caller = callerOf(response)
    const act = () => actAs(request, caller)
    const acting = await act()
    setCaller(response, acting)
    recordPermission(response, async () => void (await act()))
    const ready = admitAs(request, response, { caller, acting })
    if (ready !== null) await ready
    next()
  }
}

/** Whether a request has headers that name another user. */
export function isImpersonating({ headers }: IncomingMessage): boolean {
  for (const name in headers) if (name.startsWith('impersonate-')) return true
  return false
}
