import { errorMessage } from '../../lib/error-message.ts'
import { invalid, type Violation } from '../../lib/errors.ts'
import type { Webhook, WebhookFields } from '../../store/model/webhook.ts'
import { unknownKind } from '../../store/registry/unknown-kind.ts'
import { subscriptionFilter } from './subscription-filter.ts'
import type { WebhookContext } from './webhook-context.ts'

type Declared = Pick<WebhookFields, 'url' | 'kinds' | 'search'> &
  Partial<Pick<Webhook, 'urlProblem'>>

/**
 * Throws `invalid` or `invalid-search` unless events can be selected and sent as declared. A URL that
 * this server cannot read was valid when it was stored.
 */
export function requireValid(
  { registry, requireUrl }: Pick<WebhookContext, 'registry' | 'requireUrl'>,
  tenant: string,
  { url, urlProblem = '', kinds, search }: Declared,
): void {
  const violations = [
    ...(urlProblem === '' ? urlViolations(url, requireUrl) : []),
    ...kinds.flatMap((kind): Violation[] => {
      const message = unknownKind(kind, registry.kinds)
      return message === null ? [] : [{ field: 'kinds', message, constraint: 'kind', value: kind }]
    }),
  ]
  if (violations.length > 0) throw invalid(violations)
  subscriptionFilter(registry, { kinds, search, tenant })
}

function urlViolations(text: string, requireUrl: (url: URL) => void): readonly Violation[] {
  const message = problemOf(text, requireUrl)
  return message === null ? [] : [{ field: 'url', message, constraint: 'url' }]
}

function problemOf(text: string, requireUrl: (url: URL) => void): string | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null) return 'url must be an absolute URL such as https://example.com/hooks'
  if (url.username !== '' || url.password !== '') {
    return 'url must not contain a user name or password: verify the signature instead'
  }
  if (url.hash !== '') return 'url must not contain a fragment'
  try {
    requireUrl(url)
    return null
  } catch (error) {
    return `url: ${errorMessage(error)}`
  }
}
