import pg from 'pg'
import { spreadOf } from './statistics.ts'

const COMMITS = 60

/**
 * Milliseconds that a commit waits for the disk: the difference between the medians of small durable
 * and non-durable commits. Needs the privilege to create a table.
 */
export async function measureFlush(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('create table flush_times (number integer)')
    const durable = await medianCommit(client, 'on')
    const nonDurable = await medianCommit(client, 'off')
    await client.query('drop table flush_times')
    return Math.max(0, durable - nonDurable)
  } finally {
    await client.end()
  }
}

async function medianCommit(client: pg.Client, synchronous: 'on' | 'off'): Promise<number> {
  await client.query(`set synchronous_commit = ${synchronous}`)
  const times: number[] = []
  for (let number = 0; number < COMMITS; number += 1) {
    const start = performance.now()
    await client.query('insert into flush_times values ($1)', [number])
    times.push(performance.now() - start)
  }
  return spreadOf(times)?.median ?? 0
}
