import { objectAt, textAt } from '../../../lib/cel/functions/arguments.ts'
import type { Declarations, Run } from '../../../lib/cel/functions/function.ts'
import { spentSlowText } from '../../../lib/cel/functions/text-limit.ts'
import { parseTimestamp } from '../../../lib/cel/values/times.ts'
import { opaque } from '../../../lib/cel/types/type.ts'
import { CelObject, CelOptional } from '../../../lib/cel/values/value.ts'

/** The problems of a text; empty if it has the format. */
type Validate = (text: string) => readonly string[]

/** A named format. */
class CelFormat extends CelObject {
  readonly type = opaque('kubernetes.NamedFormat')
  readonly name: string
  readonly validate: Validate

  constructor(name: string, validate: Validate) {
    super()
    this.name = name
    this.validate = validate
  }

  isSame(other: CelObject): boolean {
    return other instanceof CelFormat && other.name === this.name
  }
}

/** A format with a pattern and Kubernetes' message. */
function pattern(options: {
  readonly text: string
  readonly most: number
  readonly message: string
  readonly examples: readonly string[]
  /** Whether a hyphen may end the text, because something follows. */
  readonly isPrefix?: boolean
}): Validate {
  const { text: source, most, message, examples, isPrefix = false } = options
  const expression = new RegExp(`^(?:${source})$`)
  const shown = examples.map((example) => `'${example}', `).join(' or ')
  return (text) => {
    const masked = isPrefix && text.length > 1 ? text.replace(/-$/, 'a') : text
    // Long texts are not matched: the time can be quadratic.
    const isLong = text.length > most
    const isMatch = !isLong && expression.test(masked)
    return [
      ...(isLong ? [`must be no more than ${most} characters`] : []),
      ...(isLong || isMatch
        ? []
        : [`${message} (e.g. ${shown}regex used for validation is '${source}')`]),
    ]
  }
}

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const NAME = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const CHARACTERS =
  "alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"

const DNS1123_LABEL = {
  text: LABEL,
  most: 63,
  message:
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  examples: ['my-name', '123-abc'],
}
const DNS1123_SUBDOMAIN = {
  text: `${LABEL}(\\.${LABEL})*`,
  most: 253,
  message:
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  examples: ['example.com'],
}
const DNS1035_LABEL = {
  text: '[a-z]([-a-z0-9]*[a-z0-9])?',
  most: 63,
  message:
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  examples: ['my-name', 'abc-123'],
}

const subdomain = pattern(DNS1123_SUBDOMAIN)
const namePart = pattern({
  text: NAME,
  most: 63,
  message: `name part must consist of ${CHARACTERS}`,
  examples: ['MyName', 'my.name', '123-abc'],
})

function qualifiedNameProblems(text: string): readonly string[] {
  const parts = text.split('/', 3)
  const [prefix = '', name = prefix] = parts
  if (parts.length > 2) {
    return [`a qualified name must consist of ${CHARACTERS} with an optional DNS subdomain prefix`]
  }
  if (parts.length === 1) return namePart(prefix)
  const problems = prefix === '' ? ['must be non-empty'] : subdomain(prefix)
  return [...problems.map((problem) => `prefix part ${problem}`), ...namePart(name)]
}

/** A format that has one message. */
function simple(isValid: (text: string) => boolean, message: string): Validate {
  return (text) => (isValid(text) ? [] : [message])
}

function isTime(text: string): boolean {
  try {
    return parseTimestamp(text).nanos !== null
  } catch {
    return false
  }
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i

const FORMATS: ReadonlyMap<string, Validate> = new Map([
  ['dns1123Label', pattern(DNS1123_LABEL)],
  ['dns1123Subdomain', subdomain],
  ['dns1035Label', pattern(DNS1035_LABEL)],
  ['qualifiedName', qualifiedNameProblems],
  ['dns1123LabelPrefix', pattern({ ...DNS1123_LABEL, isPrefix: true })],
  ['dns1123SubdomainPrefix', pattern({ ...DNS1123_SUBDOMAIN, isPrefix: true })],
  ['dns1035LabelPrefix', pattern({ ...DNS1035_LABEL, isPrefix: true })],
  [
    'labelValue',
    pattern({
      text: `(${NAME})?`,
      most: 63,
      message: `a valid label must be an empty string or consist of ${CHARACTERS}`,
      examples: ['MyValue', 'my_value', '12345'],
    }),
  ],
  ['uri', simple((text) => text.startsWith('/') || URL.canParse(text), 'invalid URI for request')],
  ['uuid', simple((text) => UUID.test(text), 'does not match the UUID format')],
  ['byte', simple((text) => BASE64.test(text), 'invalid base64')],
  ['date', simple((text) => isTime(`${text}T00:00:00Z`), 'invalid date')],
  ['datetime', simple(isTime, 'invalid datetime')],
])

const TYPE = 'kubernetes.NamedFormat'

/** `format.named`, the formats by name, and `validate`. */
export const NAMED_FORMATS: Declarations = [
  ...[...FORMATS].map(([name, validate]): [string, Run] => {
    const value = new CelFormat(name, validate)
    return [`format.${name}(): ${TYPE}`, () => value]
  }),
  [
    `format.named(string): optional<${TYPE}>`,
    (args) => {
      const name = textAt(args, 0)
      const validate = FORMATS.get(name)
      return validate ? new CelOptional(new CelFormat(name, validate)) : CelOptional.NONE
    },
  ],
  [
    `${TYPE}#validate(string): optional<list<string>>`,
    (args, spend) => {
      const text = textAt(args, 1)
      spend(Math.ceil(text.length / 10) * 4)
      const problems = objectAt(args, 0, CelFormat).validate(text)
      return problems.length === 0 ? CelOptional.NONE : new CelOptional(problems)
    },
  ],
  [
    'jsonpatch.escapeKey(string): string',
    (args, spend) => escapedKey(spentSlowText(args, 0, spend)),
  ],
]

/** A key as a part of a JSON pointer. */
function escapedKey(text: string): string {
  return text.replaceAll('~', '~0').replaceAll('/', '~1')
}
