import { type CodeDefinition, ERROR_CODES } from '../hyperfleet/errors/error-codes.ts'

/** Generates docs/errors.md, the table of codes. */
export function errorsPage(): string {
  const rows = Object.entries<CodeDefinition>(ERROR_CODES).flatMap(([code, definition]) => {
    const { status, title, doc, variants = {} } = definition
    const others = Object.entries(variants).map(([other, variant]) => {
      return `| \`HYPERFLEET-${code}\` | ${other} | ${variant.title} | like the row above, with the type \`${variant.type}\` |`
    })
    return [`| \`HYPERFLEET-${code}\` | ${status} | ${title} | ${doc} |`, ...others]
  })
  return `# Errors

<!-- Generated from src/hyperfleet/errors/error-codes.ts by \`npm run openapi\`. -->

Every error is an [RFC 9457](https://www.rfc-editor.org/rfc/rfc9457) problem with the content type
\`application/problem+json\`. Its fields are \`type\`, \`title\`, \`status\`, \`detail\`, \`instance\`
(the path), \`code\`, \`timestamp\` and \`trace_id\`. The \`trace_id\` equals the \`X-Request-ID\` of the
response and appears in the log. \`errors[]\` lists the violations of a request: \`field\`,
\`message\` and, if they help, \`constraint\`, \`value\`, \`position\` and \`length\`.

| Code | Status | Title | Meaning |
|---|---|---|---|
${rows.join('\n')}
`
}
