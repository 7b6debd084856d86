import assert from 'node:assert/strict'
import { pause } from '../../../src/lib/async/pause.ts'
import type { Ledger } from '../load/ledger.ts'
import type { Memory, SoakedServers } from './soaked-servers.ts'

/** The memory of the server that is never killed, after a number of writes. */
export interface MemorySample extends Memory {
  readonly writes: number
}

const SAMPLE_MS = 1000
/** Live memory with full caches was 133 to 141 MiB in an hour. */
const MAX_LIVE_MEBIBYTES = 256
/** Every cache is full: servers keep the newest 20 000 changes in memory. */
const WARM_WRITES = 22_000
const MIN_WARM_SAMPLES = 45
/** Growth that is not a leak: live memory differs from one garbage collection to the next. */
const MAX_GROWTH = 1.35

export async function sampleMemory(
  { servers }: SoakedServers,
  { ledger, samples }: { readonly ledger: Ledger; readonly samples: MemorySample[] },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const memory = (await servers[0]?.memory()) ?? null
    if (memory !== null) samples.push({ ...memory, writes: ledger.attempts.acknowledged })
    await pause(SAMPLE_MS, signal)
  }
}

export function printMemory(samples: readonly MemorySample[], print: (line: string) => void): void {
  const medians = (valueOf: (sample: MemorySample) => number | null): string =>
    [0, 1, 2, 3].map((part) => medianOf(samples, { part, of: 4, valueOf }).toFixed(0)).join(', ')
  const resident = medians((sample) => sample.resident)
  const live = medians((sample) => sample.live)
  print(`  memory of server 1, median MiB of each quarter: ${resident} resident, ${live} live`)
}

/**
 * Requires that live memory is small, and does not grow once the caches are full. Resident memory grows for minutes
 * without a leak, because V8 enlarges its heap.
 */
export function assertFlat(samples: readonly MemorySample[], print: (line: string) => void): void {
  const largest = Math.max(...samples.map(({ live }) => live ?? 0))
  assert.ok(largest <= MAX_LIVE_MEBIBYTES, `live memory reached ${largest.toFixed(0)} MiB`)
  const warm = samples.filter(({ writes }) => writes >= WARM_WRITES)
  if (warm.length < MIN_WARM_SAMPLES) {
    print(`  growth of memory is not checked: the caches need ${WARM_WRITES} writes to fill up`)
    return
  }
  const valueOf = (sample: MemorySample): number | null => sample.live
  const before = medianOf(warm, { part: 0, of: 3, valueOf })
  const after = medianOf(warm, { part: 2, of: 3, valueOf })
  assert.ok(
    after <= before * MAX_GROWTH,
    `live memory grew from ${before.toFixed(0)} to ${after.toFixed(0)} MiB`,
  )
}

interface Part {
  /** From 0. */
  readonly part: number
  /** How many equal parts there are. */
  readonly of: number
  readonly valueOf: (sample: MemorySample) => number | null
}

/** The median of one part of the samples; NaN without a value. */
function medianOf(samples: readonly MemorySample[], { part, of, valueOf }: Part): number {
  const size = samples.length / of
  const values = samples
    .slice(Math.floor(part * size), Math.floor((part + 1) * size))
    .map(valueOf)
    .filter((value) => value !== null)
    .toSorted((a, b) => a - b)
  return values[Math.floor(values.length / 2)] ?? NaN
}
