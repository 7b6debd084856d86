import { must } from '../../lib/assert.ts'
import { compareText } from '../../lib/text/compare-text.ts'
import type { Change, ResourceChange, StatusChange } from '../../store/model/change.ts'
import { NO_OWNER, type ReadResource } from '../../store/model/resource.ts'
import type { LoadedSubtree } from '../storage/read-subtree.ts'
import { sizeOfReport, sizeOfResource } from './size.ts'
import type { OwnedReport, SubtreeState } from './subtree-state.ts'

/** Key of the list of reports, beside the kinds. */
const REPORTS = ''

/** A root and its descendants, to which changes are applied. */
export class Subtree {
  readonly id: string
  readonly tenant: string
  readonly kind: string
  /** Name of the root; names never change. */
  readonly name: string
  /** The rows that were read include every change up to here. */
  readonly revision: bigint
  readonly #resources = new Map<string, ReadResource>()
  readonly #reports = new Map<string, Map<string, OwnedReport>>()
  /** Kinds, and REPORTS, whose lists in the last state are outdated. */
  readonly #changed = new Set<string>()
  #state: SubtreeState | null = null
  #bytes = 0

  /** The nodes must include the root. */
  constructor({ revision, nodes }: LoadedSubtree) {
    this.revision = revision
    for (const { resource, reports } of nodes) {
      this.#setResource(resource)
      for (const report of reports) {
        this.#setReport({ resourceId: resource.id, kind: resource.kind, ...report })
      }
    }
    const found = nodes.find(({ resource }) => resource.ownerId === NO_OWNER)
    const { id, tenant, kind, name } = must(found, 'the root').resource
    this.id = id
    this.tenant = tenant
    this.kind = kind
    this.name = name
  }

  /** The approximate size in bytes, including serialized responses. */
  get bytes(): number {
    return this.#bytes
  }

  /** Null if it has been removed. */
  get root(): ReadResource | null {
    return this.#resources.get(this.id) ?? null
  }

  /** The ids of all its resources. */
  get ids(): Iterable<string> {
    return this.#resources.keys()
  }

  has(id: string): boolean {
    return this.#resources.has(id)
  }

  /**
   * Applies a change of the log if it belongs to this subtree and is newer than the cached version.
   */
  apply(change: Change): void {
    if (change.revision <= this.revision) return
    if (change.subject === 'resource') this.#applyResource(change)
    else this.#applyReport(change)
  }

  /** The current state; the root must exist. */
  state(): SubtreeState {
    if (this.#state === null || this.#changed.size > 0) {
      this.#state = this.#makeState(this.#state)
      this.#changed.clear()
    }
    return this.#state
  }

  #applyResource({ type, resource }: ResourceChange): void {
    const cached = this.#resources.get(resource.id)
    if (cached ? cached.version >= resource.version : !this.has(resource.ownerId)) return
    if (type === 'DELETED') this.#removeResource(resource.id)
    else this.#setResource(resource)
  }

  #applyReport({ type, resourceId, status, rowVersion }: StatusChange): void {
    const resource = this.#resources.get(resourceId)
    const cached = this.#reports.get(resourceId)?.get(status.adapter)
    if (!resource || (cached && cached.rowVersion >= rowVersion)) return
    if (type === 'DELETED') this.#removeReport(resourceId, status.adapter)
    else this.#setReport({ resourceId, kind: resource.kind, status, rowVersion })
  }

  #setResource(resource: ReadResource): void {
    const before = this.#resources.get(resource.id)
    this.#resources.set(resource.id, resource)
    this.#bytes += sizeOfResource(resource) - (before ? sizeOfResource(before) : 0)
    this.#changed.add(resource.kind)
  }

  /** Also removes its reports. */
  #removeResource(id: string): void {
    const resource = this.#resources.get(id)
    if (!resource) return
    for (const adapter of this.#reports.get(id)?.keys() ?? []) this.#removeReport(id, adapter)
    this.#resources.delete(id)
    this.#bytes -= sizeOfResource(resource)
    this.#changed.add(resource.kind)
  }

  #setReport(report: OwnedReport): void {
    const { resourceId, status } = report
    const reports = this.#reports.get(resourceId) ?? new Map<string, OwnedReport>()
    const before = reports.get(status.adapter)
    this.#bytes += sizeOfReport(report) - (before ? sizeOfReport(before) : 0)
    this.#reports.set(resourceId, reports.set(status.adapter, report))
    this.#changed.add(REPORTS)
  }

  #removeReport(resourceId: string, adapter: string): void {
    const reports = this.#reports.get(resourceId)
    const report = reports?.get(adapter)
    if (!reports || !report) return
    reports.delete(adapter)
    if (reports.size === 0) this.#reports.delete(resourceId)
    this.#bytes -= sizeOfReport(report)
    this.#changed.add(REPORTS)
  }

  #makeState(before: SubtreeState | null): SubtreeState {
    const resources = new Map(before?.resources)
    for (const kind of this.#changed) {
      if (kind !== REPORTS) resources.delete(kind)
    }
    const lists = new Map<string, ReadResource[]>()
    for (const resource of this.#resources.values()) {
      if (resources.has(resource.kind)) continue
      const list = lists.get(resource.kind)
      if (list) list.push(resource)
      else lists.set(resource.kind, [resource])
    }
    for (const [kind, list] of lists) resources.set(kind, list.sort(byId))
    const keepsReports = before !== null && !this.#changed.has(REPORTS)
    return {
      root: must(this.root, 'the root'),
      resources,
      reports: keepsReports ? before.reports : this.#listReports(),
    }
  }

  #listReports(): readonly OwnedReport[] {
    const all = Array.from(this.#reports.values(), (reports) => Array.from(reports.values()))
    return all.flat().toSorted(byResource)
  }
}

function byId(first: ReadResource, second: ReadResource): number {
  return compareText(first.id, second.id)
}

function byResource(first: OwnedReport, second: OwnedReport): number {
  const order = compareText(first.resourceId, second.resourceId)
  return order === 0 ? compareText(first.status.adapter, second.status.adapter) : order
}
