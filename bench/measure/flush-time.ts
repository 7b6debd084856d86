import pg from 'pg'
import { spreadOf } from './statistics.ts'

const COMMITS = 60

/**
 * Milliseconds that a commit waits for the disk: what a small write takes longer when it is
 * durable, on the median. Works on any server that lets a table be made.
 */
export async function measureFlush(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('create table flush_times (number integer)')
    const durable = await medianCommit(client, 'on')
    const lazy = await medianCommit(client, 'off')
    await client.query('drop table flush_times')
    return Math.max(0, durable - lazy)
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
