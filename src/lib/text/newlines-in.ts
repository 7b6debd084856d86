const NEWLINE = 10

/** The number of line breaks: of rows in COPY's text format, which escapes those within values. */
export function newlinesIn(chunk: Buffer): number {
  let count = 0
  for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) count += 1
  return count
}
