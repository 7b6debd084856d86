import { reportBody } from '../data/report-body.ts'

const MARK = '<time>'
const made = new Map<string, readonly [before: string, after: string]>()

/** A report as JSON, observed now: only the time is written anew. */
export function reportText(adapter: string, verdict: 'True' | 'False'): string {
  const key = `${adapter} ${verdict}`
  let parts = made.get(key)
  if (parts === undefined) {
    const text = JSON.stringify(reportBody({ adapter, verdict, observedTime: MARK }))
    const [before = '', after = ''] = text.split(MARK)
    parts = [before, after]
    made.set(key, parts)
  }
  return parts[0] + new Date().toISOString() + parts[1]
}
