import type { Response } from 'express'
import { sendBody } from './send-body.ts'

/** Sends a serialized JSON body: text, or UTF-8 bytes. */
export type SendJsonBody = (response: Response, body: string | Buffer) => void

/** Sends the body, compressed if it is large and the client accepts that. */
export const sendJsonBody: SendJsonBody = (response, body) => {
  response.setHeader('Content-Type', 'application/json')
  sendBody(response, body)
}

/** Sends the body through `response.json`, so that the OpenAPI validator checks it. */
export const sendJsonBodyChecked: SendJsonBody = (response, body) => {
  response.json(JSON.parse(body.toString()))
}
