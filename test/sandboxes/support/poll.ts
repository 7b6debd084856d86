import { setTimeout as sleep } from 'node:timers/promises'

const TIMEOUT_MS = 60_000
const PAUSE_MS = 50

/** Reads until the value satisfies the condition; fails with the last value after a minute. */
export async function poll<Value>(
  what: string,
  read: () => Promise<Value> | Value,
  isWanted: (value: Value) => boolean,
): Promise<Value> {
  const end = Date.now() + TIMEOUT_MS
  for (;;) {
    const value = await read()
    if (isWanted(value)) return value
    if (Date.now() > end) throw new Error(`${what}: last value ${JSON.stringify(value)}`)
    await sleep(PAUSE_MS)
  }
}
