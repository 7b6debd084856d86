import { CelError } from '../../../lib/cel/cel-error.ts'
import { objectAt } from '../../../lib/cel/functions/arguments.ts'
import type { Declarations, Run } from '../../../lib/cel/functions/function.ts'
import { spendCall, spentSlowText } from '../../../lib/cel/functions/text-limit.ts'
import { opaque } from '../../../lib/cel/types/type.ts'
import { CelObject, type CelValue } from '../../../lib/cel/values/value.ts'

/** An absolute URI or an absolute path. */
class CelUrl extends CelObject {
  readonly type = opaque('kubernetes.URL')
  readonly url: URL
  readonly isPath: boolean
  readonly text: string

  constructor(text: string, url: URL) {
    super()
    this.isPath = text.startsWith('/')
    this.text = text
    this.url = url
  }

  isSame(other: CelObject): boolean {
    return other instanceof CelUrl && other.url.href === this.url.href
  }
}

const ofUrl =
  (read: (url: CelUrl) => CelValue): Run =>
  (args, spend) => {
    const url = objectAt(args, 0, CelUrl)
    spendCall(url.text.length, spend)
    return read(url)
  }

/** `url`, its test, and the parts of URLs. */
export const URLS: Declarations = [
  ['url(string): kubernetes.URL', (args, spend) => urlOf(spentSlowText(args, 0, spend))],
  ['isURL(string): bool', (args, spend) => parseUrl(spentSlowText(args, 0, spend)) !== null],
  [
    'kubernetes.URL#getScheme(): string',
    ofUrl(({ url, isPath }) => (isPath ? '' : url.protocol.replace(/:$/, ''))),
  ],
  ['kubernetes.URL#getHost(): string', ofUrl(({ url, isPath }) => (isPath ? '' : url.host))],
  [
    'kubernetes.URL#getHostname(): string',
    ofUrl(({ url, isPath }) => (isPath ? '' : url.hostname.replace(/^\[(.*)\]$/, '$1'))),
  ],
  ['kubernetes.URL#getPort(): string', ofUrl(({ url }) => url.port)],
  ['kubernetes.URL#getEscapedPath(): string', ofUrl(escapedPath)],
  ['kubernetes.URL#getQuery(): map<string, list<string>>', ofUrl(({ url }) => query(url))],
]

function parseUrl(text: string): CelUrl | null {
  if (!text.startsWith('/') && !/^[a-z][a-z0-9+.-]*:/i.test(text)) return null
  try {
    return new CelUrl(text, new URL(text, 'http://path.invalid'))
  } catch {
    return null
  }
}

function urlOf(text: string): CelUrl {
  const url = parseUrl(text)
  if (url) return url
  throw new CelError(`URL parse error during conversion from string: ${JSON.stringify(text)}`)
}

function escapedPath({ url, text }: CelUrl): string {
  const hasPath = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*\//i.test(text) || text.startsWith('/')
  return hasPath ? url.pathname : ''
}

function query({ searchParams }: URL): CelValue {
  const values = new Map<string, string[]>()
  for (const [name, value] of searchParams) {
    const known = values.get(name)
    if (known) known.push(value)
    else values.set(name, [value])
  }
  return values
}
