import { cpuSeconds } from '../measure/process-cpu.ts'
import type { FleetBench } from './fleet-bench.ts'

/** CPU seconds since the meter started; null if a process is unknown. */
export interface CpuUse {
  readonly server: number | null
  readonly postgres: number | null
}

/** Starts to measure the CPU of the server and of PostgreSQL. */
export function startCpuMeter({ target }: FleetBench): () => CpuUse {
  const { pid, postgresPid } = target
  const read = () => ({ server: cpuSeconds(pid, postgresPid), postgres: cpuSeconds(postgresPid) })
  const before = read()
  return () => {
    const after = read()
    return {
      server: difference(after.server, before.server),
      postgres: difference(after.postgres, before.postgres),
    }
  }
}

function difference(to: number | null, from: number | null): number | null {
  return to === null || from === null ? null : to - from
}

interface CpuFigure {
  readonly what: string
  /** The figure is the CPU in milliseconds divided by this. */
  readonly divisor: number
  readonly unit: string
}

/** Adds the CPU of both programs to the figures, if it is known. */
export function reportCpu(
  { fact }: FleetBench,
  { server, postgres }: CpuUse,
  { what, divisor, unit }: CpuFigure,
): void {
  for (const [part, seconds] of [
    ['the server', server],
    ['PostgreSQL', postgres],
  ] as const) {
    if (seconds !== null) fact(`${what}, CPU of ${part}`, (seconds * 1000) / divisor, unit)
  }
}
