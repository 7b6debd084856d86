import type { IncomingMessage } from 'node:http'

/** Whether a browser sent the request, or a program that sends its headers, such as Node's `fetch`. */
export function hasBrowserHeaders({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return Object.keys(headers).some((name) => name === 'origin' || name.startsWith('sec-fetch-'))
}
