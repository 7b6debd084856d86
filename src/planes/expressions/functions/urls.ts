import type { Environment } from '@marcbachmann/cel-js'

/** An absolute URI or an absolute path. */
class CelUrl {
  readonly url: URL
  readonly isPath: boolean
  readonly text: string

  constructor(text: string) {
    this.isPath = text.startsWith('/')
    this.text = text
    if (!this.isPath && !/^[a-z][a-z0-9+.-]*:/i.test(text)) {
      throw new Error(`URL parse error during conversion from string: ${JSON.stringify(text)}`)
    }
    this.url = new URL(text, 'http://path.invalid')
  }
}

/** Registers url, isURL and the parts of URLs. */
export function registerUrls(environment: Environment): void {
  environment
    .registerType('URL', CelUrl)
    .registerFunction('url(string): URL', (text: string) => new CelUrl(text))
    .registerFunction('isURL(string): bool', (text: string) => {
      try {
        return new CelUrl(text).text === text
      } catch {
        return false
      }
    })
    .registerFunction('URL.getScheme(): string', ({ url, isPath }: CelUrl) => {
      return isPath ? '' : url.protocol.replace(/:$/, '')
    })
    .registerFunction('URL.getHost(): string', ({ url, isPath }: CelUrl) =>
      isPath ? '' : url.host,
    )
    .registerFunction('URL.getHostname(): string', ({ url, isPath }: CelUrl) => {
      return isPath ? '' : url.hostname.replace(/^\[(.*)\]$/, '$1')
    })
    .registerFunction('URL.getPort(): string', ({ url }: CelUrl) => url.port)
    .registerFunction('URL.getEscapedPath(): string', ({ url, text }: CelUrl) => {
      const hasPath = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*\//i.test(text) || text.startsWith('/')
      return hasPath ? url.pathname : ''
    })
    .registerFunction('URL.getQuery(): map<string, list<string>>', ({ url }: CelUrl) => {
      const names = [...new Set(url.searchParams.keys())]
      return new Map(names.map((name) => [name, url.searchParams.getAll(name)]))
    })
    .registerOperator('URL == URL', (one: CelUrl, other: CelUrl) => one.url.href === other.url.href)
}
