import { randomUUID } from 'node:crypto'
import type { RequestHandler, Response } from 'express'
import { assert } from '../../lib/assert.ts'

const REQUEST_ID = 'requestId'
const ACCEPTABLE = /^[\x21-\x7e]{1,128}$/

/** First of all stages: gives the request its id, which every answer carries as `X-Request-ID`. */
export const requestId: RequestHandler = (request, response, next) => {
  const id = chooseRequestId(request.headers['x-request-id'])
  response.locals[REQUEST_ID] = id
  response.setHeader('X-Request-ID', id)
  next()
}

/** The id of the request that this answers. */
export function requestIdOf(response: Response): string {
  const id: unknown = response.locals[REQUEST_ID]
  assert(typeof id === 'string', 'the requestId stage comes before those that ask for the id')
  return id
}

/** The id that the client sent, where it is 1 to 128 visible ASCII characters; else a new one. */
export function chooseRequestId(incoming: string | string[] | undefined): string {
  return typeof incoming === 'string' && ACCEPTABLE.test(incoming) ? incoming : randomUUID()
}
