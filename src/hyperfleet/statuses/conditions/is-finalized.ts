import type { StatusSummary } from '../../../store/model/status-record.ts'

type Finalization = Pick<StatusSummary, 'adapter' | 'observedGeneration' | 'finalized'>

interface FinalizationInput {
  readonly required: readonly string[]
  /** The generation of the deleted resource; the deletion has incremented it. */
  readonly generation: number
  /** All reports on the resource. */
  readonly reports: readonly Finalization[]
}

/**
 * Whether every required adapter has cleaned up: its stored report says Finalized True at exactly
 * this generation. True if no adapter is required.
 */
export function isFinalized({ required, generation, reports }: FinalizationInput): boolean {
  const finalized = reports.filter((report) => isFinalizedAt(report, generation))
  const adapters = new Set(finalized.map(({ adapter }) => adapter))
  return required.every((adapter) => adapters.has(adapter))
}

/** Whether one adapter's report says Finalized True at a generation. */
export function isFinalizedAt(report: Omit<Finalization, 'adapter'>, generation: number): boolean {
  return report.finalized && report.observedGeneration === generation
}
