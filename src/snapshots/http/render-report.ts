import type { OwnedReport } from '../cache/subtree-state.ts'
import type { Registry } from '../../store/registry/registry.ts'
import { jsonText } from '../../lib/json/json-text.ts'
import { serializeAdapterStatus } from '../../hyperfleet/wire/adapter-status.ts'
import { hrefOf } from '../../hyperfleet/wire/href.ts'

/** A report as JSON, and its part that changes less often. */
interface RenderedReport {
  readonly text: string
  /** Without the time of the last report, which every heartbeat changes. */
  readonly stable: string
}

/** Serializes a report for a snapshot, with the resource that it belongs to. */
export type ReportRenderer = (report: OwnedReport) => RenderedReport

/** Serializes each report once. */
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
  const stable = jsonText({ owner_references: { kind, id, href }, ...rest })
  const time = JSON.stringify({ last_report_time })
  return { stable, text: `${stable.slice(0, -1)},${time.slice(1)}` }
}
