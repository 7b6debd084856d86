import type { Format } from '../output/formats.ts'
import type { KindTarget } from '../targets/kind-target.ts'

/** Which resources are shown, and how. */
export interface View {
  readonly target: KindTarget
  readonly format: Format
  /** Whether tables have headings. */
  readonly headers: boolean
}
