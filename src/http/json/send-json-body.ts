import type { Response } from 'express'

/** Sends a serialized JSON body: text, or UTF-8 bytes. */
export type SendJsonBody = (response: Response, body: string | Buffer) => void

const LONG_TEXT_LENGTH = 16_384

/** Sends the body unchanged. */
export const sendJsonBody: SendJsonBody = (response, body) => {
  // Node sends a short text in one write with the headers. Encoding a long one here avoids a second pass.
  const sent =
    typeof body === 'string' && body.length >= LONG_TEXT_LENGTH ? Buffer.from(body) : body
  response.setHeader('Content-Type', 'application/json')
  response.setHeader('Content-Length', Buffer.byteLength(sent))
  response.end(sent)
}

/** Sends the body through `response.json`, so that the OpenAPI validator checks it. */
export const sendJsonBodyChecked: SendJsonBody = (response, body) => {
  response.json(JSON.parse(body.toString()))
}
