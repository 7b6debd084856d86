import { createHash } from 'node:crypto'
import type { History, Registers } from './history.ts'

const CLIENTS = 16
/** Clients move on to new objects, because the check of one grows with its calls. */
const CALLS_PER_KEY = 120
const KEYS = 3

/** Lets clients read, create, swap and remove the same few objects at the same time. */
export async function runClients(
  {
    history,
    registers,
    prefix,
  }: {
    readonly history: History
    readonly registers: Registers
    readonly prefix: string
  },
  signal: AbortSignal,
): Promise<void> {
  let calls = 0
  const runClient = async (client: number): Promise<void> => {
    for (let count = 0; !signal.aborted; count += 1) {
      const epoch = Math.floor(calls / (KEYS * CALLS_PER_KEY))
      calls += 1
      const key = `${prefix}-${epoch}-${calls % KEYS}`
      await step({ client, key, value: `${prefix}-${client}-${count}` }, history, registers)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => runClient(client)))
}

interface Step {
  readonly client: number
  readonly key: string
  /** A value that no other step writes. */
  readonly value: string
}

/** Reads an object, and usually writes it. Others may have written it in the meantime. */
async function step(
  { client, key, value }: Step,
  history: History,
  registers: Registers,
): Promise<void> {
  const read = await history.read(client, key, registers)
  if (read === 'unknown') return
  const choice = createHash('sha256').update(value).digest().readUInt8() / 256
  const call = { client, key, value, expected: read?.value ?? '' }
  if (read === null) {
    await history.write({ ...call, kind: 'create' }, () => registers.create(key, value))
  } else if (choice < 0.15) {
    const removal = { ...call, kind: 'remove', value: '' } as const
    await history.write(removal, () => registers.remove(key, read))
  } else if (choice < 0.7) {
    await history.write({ ...call, kind: 'swap' }, () => registers.swap(key, read, value))
  }
}
