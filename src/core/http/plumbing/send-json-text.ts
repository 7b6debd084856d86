import type { Response } from 'express'

/** Answers with a body that is JSON text already. */
export type SendJsonText = (response: Response, text: string) => void

const LONG = 16_384

/** Sends the text as it is. */
export const sendJsonText: SendJsonText = (response, text) => {
  // A short text goes out in one write with the headers; a long one is better encoded only once.
  const body = text.length < LONG ? text : Buffer.from(text)
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.setHeader('Content-Length', Buffer.byteLength(body))
  response.end(body)
}

/** Sends what the text says through `response.json`, where the document's validator checks it. */
export const sendJsonTextChecked: SendJsonText = (response, text) => {
  response.json(JSON.parse(text))
}
