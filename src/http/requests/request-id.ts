import { randomUUID } from 'node:crypto'
import type { RequestHandler, Response } from 'express'
import { assert } from '../../lib/assert.ts'

const REQUEST_ID = 'requestId'
const ACCEPTABLE = /^[\x21-\x7e]{1,128}$/

/** The first stage: sets the id of the request, which every response has as `X-Request-ID`. */
export const requestId: RequestHandler = (request, response, next) => {
  const id = chooseRequestId(request.headers['x-request-id'])
  response.locals[REQUEST_ID] = id
  response.setHeader('X-Request-ID', id)
  next()
}

/** The id of the request to which this response belongs. */
export function requestIdOf(response: Response): string {
  const id: unknown = response.locals[REQUEST_ID]
  assert(typeof id === 'string', 'the requestId stage runs before stages that read the id')
  return id
}

/** The client's id if it consists of 1 to 128 visible ASCII characters; otherwise a new one. */
export function chooseRequestId(incoming: string | string[] | undefined): string {
  return typeof incoming === 'string' && ACCEPTABLE.test(incoming) ? incoming : randomUUID()
}
