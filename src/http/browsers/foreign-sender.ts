import type { Response } from 'express'
import { FlotillaError } from '../../lib/errors.ts'

const SENDER = 'foreignSender'

/** Stores that a page that may only read sent the request. */
export function setForeignSender(response: Response, sender: string): void {
  response.locals[SENDER] = sender
}

/** Throws `forbidden` if a page that may only read sent a request that would create `what`. */
export function refuseForeignSender(response: Response, what: string): void {
  const sender: unknown = response.locals[SENDER]
  if (typeof sender !== 'string') return
  throw new FlotillaError(
    'forbidden',
    `Pages of ${sender} may only read, and the request would create ${what}`,
  )
}
