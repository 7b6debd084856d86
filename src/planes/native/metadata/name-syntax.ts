import type { NameRule } from '../../model/resource-type.ts'

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`
const LABEL_PATTERN = new RegExp(`^${LABEL}$`)
const SUBDOMAIN_PATTERN = new RegExp(`^${SUBDOMAIN}$`)
const MAX_LABEL_LENGTH = 63
const MAX_SUBDOMAIN_LENGTH = 253

/** `must be no more than 63 bytes`. */
export function lengthMessage(bytes: number): string {
  return `must be no more than ${bytes} bytes`
}

/** Appends examples and the pattern to a message, as all messages about syntax have them. */
export function syntaxMessage(
  message: string,
  pattern: string,
  examples: readonly string[],
): string {
  const shown = examples.map((example) => `'${example}', `).join(' or ')
  return `${message} (e.g. ${shown}regex used for validation is '${pattern}')`
}

/** The messages about a text that is not a lowercase DNS label. */
export function dnsLabelMessages(text: string): readonly string[] {
  const messages: string[] = []
  if (Buffer.byteLength(text) > MAX_LABEL_LENGTH) messages.push(lengthMessage(MAX_LABEL_LENGTH))
  if (LABEL_PATTERN.test(text)) return messages
  if (SUBDOMAIN_PATTERN.test(text)) return [...messages, 'must not contain dots']
  const message =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character"
  return [...messages, syntaxMessage(message, LABEL, ['my-name', '123-abc'])]
}

/** The messages about a text that is not a lowercase DNS name. */
export function dnsSubdomainMessages(text: string): readonly string[] {
  const messages: string[] = []
  if (Buffer.byteLength(text) > MAX_SUBDOMAIN_LENGTH)
    messages.push(lengthMessage(MAX_SUBDOMAIN_LENGTH))
  if (SUBDOMAIN_PATTERN.test(text)) return messages
  const message =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character"
  return [...messages, syntaxMessage(message, SUBDOMAIN, ['example.com'])]
}

/** The messages about a text that cannot be a segment of a path. */
export function pathSegmentMessages(text: string): readonly string[] {
  if (text === '.' || text === '..') return [`may not be '${text}'`]
  return ['/', '%'].flatMap((part) => (text.includes(part) ? [`may not contain '${part}'`] : []))
}

const MESSAGES: Readonly<Record<NameRule, (text: string) => readonly string[]>> = {
  'dns-subdomain': dnsSubdomainMessages,
  'dns-label': dnsLabelMessages,
  'path-segment': pathSegmentMessages,
}

/** The messages about a name that violates its rule. */
export function nameMessages(name: string, rule: NameRule): readonly string[] {
  return MESSAGES[rule](name)
}

/** The messages about a prefix of names. It may end with a dash, because a suffix follows. */
export function namePrefixMessages(prefix: string, rule: NameRule): readonly string[] {
  if (rule === 'path-segment')
    return pathSegmentMessages(prefix).filter((message) => message.startsWith('may not contain'))
  const masked = prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, -2)}a` : prefix
  return MESSAGES[rule](masked)
}
