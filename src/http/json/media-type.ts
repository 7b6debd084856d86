/** `type/subtype` in lower case, and the charset if the header names one. */
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

/** Whether a type is accepted. `application/*+json` accepts every type with that suffix. */
export function isAccepted(type: string, accepted: readonly string[]): boolean {
  return accepted.some((pattern) => {
    const [before, after] = pattern.split('*')
    if (before === undefined || after === undefined) return type === pattern
    const isLonger = type.length > before.length + after.length
    return isLonger && type.startsWith(before) && type.endsWith(after)
  })
}
