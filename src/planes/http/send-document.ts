import type { Request, Response } from 'express'
import { sendBody } from '../../http/json/send-body.ts'
import { matchesEtag } from '../discovery/serialized-document.ts'

/** A document with its entity tag. */
export interface SentDocument {
  readonly body: Buffer | string
  /** With quotation marks. */
  readonly etag: string
  readonly contentType: string
}

/** Sends a document, or 304 if the client has it. */
export function sendDocument(
  request: Request,
  response: Response,
  { body, etag, contentType }: SentDocument,
): void {
  response.vary('Accept')
  response.setHeader('ETag', etag)
  if (matchesEtag(request.headers['if-none-match'], etag)) {
    response.status(304).end()
    return
  }
  response.setHeader('Content-Type', contentType)
  sendBody(response, body)
}
