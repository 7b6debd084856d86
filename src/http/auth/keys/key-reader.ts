import type { Log } from '../../../lib/log/log.ts'
import { type KeySet, parseKeySet } from './key-set.ts'
import type { KeySource } from '../../../access/key-source.ts'

export type ReadKeys = (signal: AbortSignal) => Promise<KeySet>

/** Reads the keys of a source. Returns the same object as long as the text does not change. */
export function keyReader(source: KeySource, log: Log): ReadKeys {
  let last: { readonly text: string; readonly keys: KeySet } | null = null
  return async (signal) => {
    const text = await source.read(signal)
    if (last?.text === text) return last.keys
    const skipped: string[] = []
    const keys = parseKeySet(text, (reason) => skipped.push(reason))
    last = { text, keys }
    const fields = { source: source.name, kids: keys.map((key) => key.id), skipped }
    const level = skipped.length > 0 || keys.length === 0 ? 'warn' : 'info'
    log[level](fields, `key set read: ${keys.length} usable keys, ${skipped.length} others`)
    return keys
  }
}
