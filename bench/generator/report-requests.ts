import { clusterId, clusterState } from '../data/cluster.ts'
import { CLUSTER_ADAPTERS, fleetReportCount, reportedStatus } from '../data/cluster-state.ts'
import { reportBody } from '../data/report-body.ts'
import { type BenchRequest, post } from './bench-request.ts'
import type { SourceContext } from './source-context.ts'

/** Clusters whose reports are interleaved, so that reports of one cluster do not contend. */
const INTERLEAVED_CLUSTERS = 64
const TIME_PLACEHOLDER = '<time>'

/** First reports: every adapter of clusters without reports, then further adapters of the same clusters. */
export function firstReports(context: SourceContext): () => BenchRequest {
  const { rows } = context.dataset
  const block = INTERLEAVED_CLUSTERS * CLUSTER_ADAPTERS.length
  let sequence = 0
  return () => {
    const offset = sequence % block
    const cluster =
      Math.floor(sequence / block) * INTERLEAVED_CLUSTERS + (offset % INTERLEAVED_CLUSTERS)
    const adapter = CLUSTER_ADAPTERS[Math.floor(offset / INTERLEAVED_CLUSTERS)] ?? ''
    const pass = Math.floor(cluster / rows)
    sequence += 1
    const path = `/clusters/${clusterId(1 + (cluster % rows))}/statuses`
    return post(path, reportText(pass === 0 ? adapter : `${adapter}-${pass}`, 'True'))
  }
}

/**
 * Reports that repeat the stored ones. Like a fleet, they cover each adapter of each cluster once
 * before they start over, in scattered order.
 */
export function heartbeats(context: SourceContext): () => BenchRequest {
  const { dataset, random } = context
  const count = fleetReportCount(dataset.rows)
  const stride = strideOf(count)
  let position = Math.floor(random() * count)
  return () => {
    position = (position + stride) % count
    const number = 1 + (position % dataset.rows)
    const adapter = CLUSTER_ADAPTERS[Math.floor(position / dataset.rows)] ?? ''
    const status = reportedStatus(clusterState(dataset, number), adapter)
    return post(`/clusters/${clusterId(number)}/statuses`, reportText(adapter, status))
  }
}

/**
 * A stride that visits every number below `count` and keeps neighbors far apart: coprime to `count`
 * and near its golden section.
 */
function strideOf(count: number): number {
  let stride = Math.max(1, Math.floor(count * 0.618))
  while (commonDivisor(stride, count) !== 1) stride += 1
  return stride
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b)
}

/** Reports of a required adapter that fail one cluster after the other, then recover them. */
export function flips(context: SourceContext): () => BenchRequest {
  const { rows } = context.dataset
  let sequence = 0
  return () => {
    const status = Math.floor(sequence / rows) % 2 === 0 ? 'False' : 'True'
    const path = `/clusters/${clusterId(1 + (sequence % rows))}/statuses`
    sequence += 1
    return post(path, reportText('dns', status))
  }
}

const templates = new Map<string, readonly [before: string, after: string]>()

/** A report as JSON, observed now. Serialized once per adapter and status; only the time changes. */
export function reportText(adapter: string, status: 'True' | 'False'): string {
  const key = `${adapter} ${status}`
  let template = templates.get(key)
  if (template === undefined) {
    const text = JSON.stringify(reportBody({ adapter, status, observedTime: TIME_PLACEHOLDER }))
    const [before = '', after = ''] = text.split(TIME_PLACEHOLDER)
    template = [before, after]
    templates.set(key, template)
  }
  return template[0] + new Date().toISOString() + template[1]
}
