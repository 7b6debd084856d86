import type { Cpu } from './cpu.ts'
import type { Send } from './find-work.ts'

const ROUNDS = 3
const MAX_PER_ROUND = 1500
const CONNECTIONS = 64
const PAGE = 100

interface Leased {
  readonly token: string
  readonly id: string
}

interface Totals {
  seconds: number
  api: number
  sql: number
}

/** Compares reports that complete their leases with reports without a token, in turns. */
export async function reportWork(send: Send, cpu: Cpu, due: number): Promise<void> {
  const perRound = Math.min(MAX_PER_ROUND, Math.floor(due / ROUNDS / 3))
  const ways = { 'with leases': true, 'without leases': false }
  const totals = new Map<string, Totals>()
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, isLeased] of Object.entries(ways)) {
      const work = await leaseSome(send, perRound)
      const total = totals.get(name) ?? { seconds: 0, api: 0, sql: 0 }
      totals.set(name, total)
      const [start, api, sql] = [performance.now(), cpu.cpu(), cpu.database()]
      await reportAll(send, work, isLeased)
      total.seconds += (performance.now() - start) / 1000
      total.api += cpu.cpu() - api
      total.sql += cpu.database() - sql
    }
  }
  const count = ROUNDS * perRound
  for (const [name, { seconds, api, sql }] of totals) {
    const perReport = (value: number): string => ((value / count) * 1e6).toFixed(0)
    console.log(
      `reports ${name}: ${Math.round(count / seconds)}/s at ${CONNECTIONS} connections, ` +
        `${perReport(api)} us of the API's CPU and ${perReport(sql)} us of PostgreSQL's each`,
    )
  }
}

async function leaseSome(send: Send, count: number): Promise<readonly Leased[]> {
  const work: Leased[] = []
  while (work.length < count) {
    const { text } = await send('POST', '/adapters/dns/lease', {
      body: { kinds: ['Cluster'], max: PAGE, leaseSeconds: 3600, waitSeconds: 10 },
    })
    const { items }: { items: readonly { lease: Leased; resource: Leased }[] } = JSON.parse(text)
    work.push(...items.map(({ lease: { token }, resource: { id } }) => ({ token, id })))
  }
  return work.slice(0, count)
}

async function reportAll(send: Send, work: readonly Leased[], isLeased: boolean): Promise<void> {
  const rest = [...work]
  const conditions = [{ type: 'Available', status: 'True' }]
  const body = { adapter: 'dns', observed_generation: 1, conditions }
  const run = async (): Promise<void> => {
    for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
      const headers: Record<string, string> = isLeased ? { 'X-Lease-Token': next.token } : {}
      await send('POST', `/clusters/${next.id}/statuses`, { body, headers })
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, run))
}
