import { dnsSubdomainMessages, lengthMessage, syntaxMessage } from './name-syntax.ts'

const KEY = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const KEY_PATTERN = new RegExp(`^${KEY}$`)
const VALUE_PATTERN = new RegExp(`^(${KEY})?$`)
const KEY_RULE =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
const MAX_LENGTH = 63

function nameMessages(name: string): readonly string[] {
  const messages: string[] = []
  if (name === '') messages.push('name part must be non-empty')
  else if (Buffer.byteLength(name) > MAX_LENGTH)
    messages.push(`name part ${lengthMessage(MAX_LENGTH)}`)
  if (!KEY_PATTERN.test(name)) {
    const shown = syntaxMessage(KEY_RULE, KEY, ['MyName', 'my.name', '123-abc'])
    messages.push(`name part ${shown}`)
  }
  return messages
}

/** The messages about a text that is not a qualified name, such as `example.com/team`. */
export function qualifiedNameMessages(text: string): readonly string[] {
  const parts = text.split('/')
  const [first = '', second] = parts
  if (parts.length > 2) {
    const shown = syntaxMessage(KEY_RULE, KEY, ['MyName', 'my.name', '123-abc'])
    return [
      `a valid label key ${shown} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ]
  }
  if (second === undefined) return nameMessages(first)
  const prefix = first === '' ? ['must be non-empty'] : dnsSubdomainMessages(first)
  return [...prefix.map((message) => `prefix part ${message}`), ...nameMessages(second)]
}

/** The messages about a text that cannot be the value of a label. */
export function labelValueMessages(text: string): readonly string[] {
  const messages: string[] = []
  if (Buffer.byteLength(text) > MAX_LENGTH) messages.push(lengthMessage(MAX_LENGTH))
  if (VALUE_PATTERN.test(text)) return messages
  const message =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
  return [...messages, syntaxMessage(message, `(${KEY})?`, ['MyValue', 'my_value', '12345'])]
}
