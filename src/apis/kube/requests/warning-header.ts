const MAX_LENGTH = 1024

/** A `Warning` header as RFC 7234 defines it, without characters that headers cannot contain. */
export function warningHeader(message: string): string {
  const text = message.slice(0, MAX_LENGTH).replaceAll(/[^\x20-\x7e]/g, ' ')
  return `299 - "${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}
