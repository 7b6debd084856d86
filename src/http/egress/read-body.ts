import type { IncomingMessage } from 'node:http'

/** Reads a response as text. Rejects and closes the connection if it is longer than `maxBytes`. */
export async function readResponse(response: IncomingMessage, maxBytes: number): Promise<string> {
  const declared = Number(response.headers['content-length'] ?? 0)
  const chunks: Uint8Array[] = []
  let received = 0
  if (declared > maxBytes) throw tooLong(response, maxBytes)
  for await (const chunk of response) {
    if (!(chunk instanceof Uint8Array)) continue
    received += chunk.length
    if (received > maxBytes) throw tooLong(response, maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function tooLong(response: IncomingMessage, maxBytes: number): Error {
  response.destroy()
  return new Error(`the response is longer than ${maxBytes} bytes`)
}
