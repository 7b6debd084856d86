import type { LeasedRow } from '../storage/claim-work.ts'

/** A leased resource, whose body is UTF-8 JSON. */
export interface WorkItem {
  readonly row: LeasedRow
  readonly resource: Buffer
}

/** The response to a lease. */
export function renderWork(items: readonly WorkItem[]): Buffer {
  const pieces: Buffer[] = [
    Buffer.from(`{"kind":"AdapterWorkList","size":${items.length},"items":[`),
  ]
  for (const [index, { row, resource }] of items.entries()) {
    const { reason, attempts: attempt, token, expires_time: time } = row
    const lease = { token, expires_time: time.toISOString() }
    const head = JSON.stringify({ reason, attempt, lease })
    // The resource is the last member.
    pieces.push(Buffer.from(`${index > 0 ? ',' : ''}${head.slice(0, -1)},"resource":`), resource)
    pieces.push(Buffer.from('}'))
  }
  pieces.push(Buffer.from(']}'))
  return Buffer.concat(pieces)
}
