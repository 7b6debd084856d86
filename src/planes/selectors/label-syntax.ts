const KEY_FORMAT = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const NAME = /^(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/
const SUBDOMAIN_FORMAT = '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'
const DOMAIN_LABEL = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/
const MAX_NAME_LENGTH = 63
const MAX_PREFIX_LENGTH = 253

const KEY_RULE =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
const KEY_EXAMPLE = `(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${KEY_FORMAT}')`

/** Violations of the syntax of label keys, such as `example.com/app`. Empty if the key is valid. */
export function labelKeyProblems(key: string): readonly string[] {
  const parts = key.split('/')
  if (parts.length > 2) {
    const suffix = "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
    return [`a valid label key ${KEY_RULE} ${KEY_EXAMPLE} ${suffix}`]
  }
  const name = parts.at(-1) ?? ''
  return [...(parts.length === 2 ? prefixProblems(parts[0] ?? '') : []), ...nameProblems(name)]
}

/** Violations of the syntax of label values. Empty if the value is valid. */
export function labelValueProblems(value: string): readonly string[] {
  const problems = []
  if (byteLength(value) > MAX_NAME_LENGTH) problems.push(tooLong(MAX_NAME_LENGTH))
  if (value !== '' && !NAME.test(value)) {
    problems.push(
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', " +
        'and must start and end with an alphanumeric character ' +
        `(e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(${KEY_FORMAT})?')`,
    )
  }
  return problems
}

function prefixProblems(prefix: string): readonly string[] {
  if (prefix === '') return ['prefix part must be non-empty']
  const problems = []
  if (byteLength(prefix) > MAX_PREFIX_LENGTH) {
    problems.push(`prefix part ${tooLong(MAX_PREFIX_LENGTH)}`)
  }
  if (!prefix.split('.').every((label) => DOMAIN_LABEL.test(label))) {
    problems.push(
      "prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', " +
        'and must start and end with an alphanumeric character ' +
        `(e.g. 'example.com', regex used for validation is '${SUBDOMAIN_FORMAT}')`,
    )
  }
  return problems
}

function nameProblems(name: string): readonly string[] {
  const problems = []
  if (name === '') problems.push('name part must be non-empty')
  else if (byteLength(name) > MAX_NAME_LENGTH)
    problems.push(`name part ${tooLong(MAX_NAME_LENGTH)}`)
  if (!NAME.test(name)) problems.push(`name part ${KEY_RULE} ${KEY_EXAMPLE}`)
  return problems
}

const byteLength = (text: string) => Buffer.byteLength(text)

const tooLong = (limit: number) => `must be no more than ${limit} bytes`
