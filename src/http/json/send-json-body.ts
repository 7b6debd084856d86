import type { Response } from 'express'

/** Answers with a body that is JSON already: text, or UTF-8. */
export type SendJsonBody = (response: Response, body: string | Buffer) => void

const LONG_TEXT_LENGTH = 16_384

/** Sends the body as it is. */
export const sendJsonBody: SendJsonBody = (response, body) => {
  // A short text goes out in one write with the headers; a long one is better encoded only once.
  const sent =
    typeof body === 'string' && body.length >= LONG_TEXT_LENGTH ? Buffer.from(body) : body
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.setHeader('Content-Length', Buffer.byteLength(sent))
  response.end(sent)
}

/** Sends what the body says through `response.json`, where the document's validator checks it. */
export const sendJsonBodyChecked: SendJsonBody = (response, body) => {
  response.json(JSON.parse(body.toString()))
}
