import type { StatusSummary } from '../../core/model/status-record.ts'

type Finalization = Pick<StatusSummary, 'adapter' | 'observedGeneration' | 'finalized'>

interface FinalizationInput {
  readonly required: readonly string[]
  /** The resource's generation, which its deletion has raised. */
  readonly generation: number
  /** Every adapter's row of the resource. */
  readonly reports: readonly Finalization[]
}

/**
 * Whether every required adapter has cleaned up: its stored report says Finalized True at this very
 * generation. So it is where nothing is required.
 */
export function isFinalized({ required, generation, reports }: FinalizationInput): boolean {
  const done = reports.filter((report) => isFinalizedAt(report, generation))
  const adapters = new Set(done.map(({ adapter }) => adapter))
  return required.every((adapter) => adapters.has(adapter))
}

/** Whether one adapter's report says Finalized True at a generation. */
export function isFinalizedAt(report: Finalization, generation: number): boolean {
  return report.finalized && report.observedGeneration === generation
}
