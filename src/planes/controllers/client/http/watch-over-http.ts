import { KubeError } from '../../../errors/kube-error.ts'
import { errorMessage } from '../../../../lib/error-message.ts'
import { isJsonObject, type JsonValue } from '../../../../lib/json/json.ts'
import type { WatchEvent, WatchOptions } from '../plane-client.ts'
import type { HttpOptions } from './http-options.ts'
import { parseObject } from './parse-objects.ts'
import { openResponse } from './send-request.ts'
import { errorOfStatus } from './status-error.ts'
import { parseJsonText } from '../../../../lib/json/json-text.ts'

/** A watch ends after a random time from this minimum to its double. */
const MIN_SECONDS = 300
/** Longer lines end the watch. */
const MAX_LINE = 33_554_432

/** Watches over HTTP. Ends without an error when the server or the signal ends it. */
export async function* watchOverHttp(
  options: HttpOptions,
  path: string,
  { resourceVersion, signal, labelSelector, fieldSelector }: WatchOptions,
): AsyncGenerator<WatchEvent> {
  const { random = Math.random } = options
  const query = {
    watch: 'true',
    allowWatchBookmarks: 'true',
    resourceVersion,
    labelSelector,
    fieldSelector,
    timeoutSeconds: String(Math.ceil(MIN_SECONDS * (1 + random()))),
  }
  try {
    const response = await openResponse(options, { method: 'GET', path, query }, signal)
    for await (const line of linesOf(response)) {
      if (signal.aborted) return
      yield parseEvent(line)
    }
  } catch (error) {
    if (signal.aborted) return
    if (error instanceof KubeError) throw error
    throw errorOfStatus({ message: `the watch broke: ${errorMessage(error)}` }, 503)
  }
}

async function* linesOf(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of response.body ?? []) {
    rest += decoder.decode(chunk, { stream: true })
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > MAX_LINE) throw errorOfStatus({ message: 'an event is too long' }, 500)
    for (const line of lines) if (line !== '') yield line
  }
}

function parseEvent(line: string): WatchEvent {
  const event: JsonValue = parseJsonText(line)
  const { type, object } = isJsonObject(event) ? event : {}
  if (!isJsonObject(object)) throw errorOfStatus({ message: 'an event is malformed' }, 500)
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return { type, object: parseObject(object) }
    case 'BOOKMARK': {
      const { resourceVersion } = parseObject(object).metadata
      return { type, resourceVersion: resourceVersion ?? '' }
    }
    default:
      throw errorOfStatus(object, 500)
  }
}
