import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts'

/** The annotation with the address of the server. */
export const URL_ANNOTATION = 'flotilla.dev/url'

const MAX_LENGTH = 2048

/** The value of the annotation with the address; null if there is none. */
export function addressOf({ metadata }: JsonObject): string | null {
  const annotations = isJsonObject(metadata) ? metadata['annotations'] : undefined
  const address = isJsonObject(annotations) ? annotations[URL_ANNOTATION] : undefined
  return typeof address === 'string' ? address : null
}

/** The URL of an address. Throws unless it is an http or https URL without credentials. */
export function serverUrl(address: string): URL {
  if (address.length > MAX_LENGTH) throw problem(`must have at most ${MAX_LENGTH} characters`)
  if (!/^https?:\/\/[^/\\]/i.test(address) || !URL.canParse(address)) {
    throw problem('must be a URL that begins with https:// or http://')
  }
  const url = new URL(address)
  if (url.username !== '' || url.password !== '') throw problem('must not contain credentials')
  return url
}

function problem(message: string): Error {
  return new Error(`the annotation ${URL_ANNOTATION} ${message}`)
}
