const MAX_LENGTH = 1024
/** Clients limit the size of all headers together. */
const MAX_TOTAL_LENGTH = 4096

/** A `Warning` header as RFC 7234 defines it, without characters that headers cannot contain. */
export function warningHeader(message: string): string {
  const text = message.slice(0, MAX_LENGTH).replaceAll(/[^\x20-\x7e]/g, ' ')
  return `299 - "${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}

/**
 * Sends each warning of a response once, because retried writes warn again. Warnings beyond the
 * limit of all warnings together are dropped.
 */
export function warningSender(send: (header: string) => void): (message: string) => void {
  const sent = new Set<string>()
  let length = 0
  return (message) => {
    const header = warningHeader(message)
    if (sent.has(header) || length + header.length > MAX_TOTAL_LENGTH) return
    sent.add(header)
    length += header.length
    send(header)
  }
}
