import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import { administrator, BINARIES } from './database-cluster.ts'
import type { Machine } from './network.ts'

const URL_OF_MACHINE = 'postgresql://flotilla:secret@127.0.0.1:5432/flotilla'

interface LocalWrite {
  readonly id: string
  readonly isAcknowledged: boolean
}

/** Creates a resource from a program on a database machine, as a client next to it would. */
export async function writeLocally(machine: Machine, logs: string): Promise<LocalWrite> {
  const id = randomUUID()
  const statement = `
    insert into resources (id, kind, name, generation, version, spec, labels, conditions, cond,
      created_time, updated_time, created_by, updated_by)
    values ('${id}', 'LocalWrite', '${id}', 1, 1, '{}', '{}', '[]', '{}', now(), now(), '', '')`
  const command = [path.join(BINARIES, 'psql'), URL_OF_MACHINE, '-c', statement]
  const child = machine.start(command, {}, path.join(logs, 'local-writes.log'))
  const [code] = await once(child, 'exit')
  return { id, isAcknowledged: code === 0 }
}

/** Whether the database on a machine has a resource. */
export async function hasResource(machine: Machine, id: string): Promise<boolean> {
  const client = administrator(machine, 'flotilla')
  await client.connect()
  try {
    const { rows } = await client.query('select 1 from resources where id = $1::text', [id])
    return rows.length > 0
  } finally {
    await client.end()
  }
}
