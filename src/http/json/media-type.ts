/** `type/subtype` in lower case and the charset, where the header names one. */
interface MediaType {
  readonly type: string
  readonly charset: string | null
}

/** Reads a Content-Type header. */
export function parseMediaType(header: string): MediaType {
  const [type = '', ...parameters] = header.toLowerCase().split(';')
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(parameter)?.[1])
    .find((value) => value !== undefined)
  return { type: type.trim(), charset: charset ?? null }
}

/** Whether the type is one of the accepted; `application/*+json` stands for every such suffix. */
export function isAccepted(type: string, accepted: readonly string[]): boolean {
  return accepted.some((pattern) => {
    const [before, after] = pattern.split('*')
    if (before === undefined || after === undefined) return type === pattern
    const room = type.length > before.length + after.length
    return room && type.startsWith(before) && type.endsWith(after)
  })
}
