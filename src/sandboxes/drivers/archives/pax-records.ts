/** Keywords that `createArchive` writes. Others could change the meaning of an entry. */
const KEYWORDS = new Set([
  'path',
  'linkpath',
  'size',
  'mtime',
  'GNU.sparse.major',
  'GNU.sparse.minor',
  'GNU.sparse.name',
  'GNU.sparse.realsize',
])

/** Reads the records of an extended header; null if one is malformed, repeated or not accepted. */
export function readPaxRecords(body: Buffer): ReadonlyMap<string, string> | null {
  const records = new Map<string, string>()
  const content = body.toString('latin1')
  let at = 0
  while (at < content.length) {
    const space = content.indexOf(' ', at)
    const digits = content.slice(at, space)
    const end = at + Number(digits)
    if (space === -1 || !/^[1-9][0-9]{0,6}$/.test(digits) || end > content.length) return null
    const record = content.slice(space + 1, end)
    const equals = record.indexOf('=')
    const keyword = record.slice(0, equals)
    if (equals === -1 || !record.endsWith('\n') || end <= space) return null
    if (!KEYWORDS.has(keyword) || records.has(keyword)) return null
    records.set(keyword, record.slice(equals + 1, -1))
    at = end
  }
  return records
}
