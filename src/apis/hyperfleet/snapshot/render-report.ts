import type { OwnedReport } from '../../../core/snapshots/subtree-state.ts'
import type { Registry } from '../../../core/registry/registry.ts'
import { exactJson } from '../../../http/json/exact-json.ts'
import { serializeAdapterStatus } from '../wire/adapter-status.ts'
import { hrefOf } from '../wire/href.ts'

/** A report as JSON, and the part of it that moves with changes alone. */
interface RenderedReport {
  readonly text: string
  /** Without the time of the last report, which a heartbeat moves. */
  readonly stable: string
}

/** Writes a report as snapshots show it: with what it is about. */
export type ReportRenderer = (report: OwnedReport) => RenderedReport

/** Makes a renderer that writes each report once. */
export function createReportRenderer(registry: Registry): ReportRenderer {
  const known = new WeakMap<OwnedReport, RenderedReport>()
  return (report) => {
    let rendered = known.get(report)
    if (!rendered) {
      rendered = render(registry, report)
      known.set(report, rendered)
    }
    return rendered
  }
}

function render(registry: Registry, { resourceId: id, kind, status }: OwnedReport): RenderedReport {
  const { last_report_time, ...rest } = serializeAdapterStatus(status)
  const href = hrefOf(registry.byName(kind), id)
  const stable = exactJson({ owner_references: { kind, id, href }, ...rest })
  const time = JSON.stringify({ last_report_time })
  return { stable, text: `${stable.slice(0, -1)},${time.slice(1)}` }
}
