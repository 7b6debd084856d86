import type { Change, ResourceChange, SearchedState } from '../../model/change.ts'
import type { ReadResource } from '../../model/resource.ts'
import type { SearchRow } from '../../search/memory/search-row.ts'
import { statusRow } from '../../search/memory/status-row.ts'

/** A change as searches see it: made once, for all who search. */
export interface SearchedChange {
  readonly change: Change
  readonly after: SearchRow
  /** Null but for a modification. */
  readonly before: SearchRow | null
}

/** The rows of a change. Their JSON is parsed when a search looks at it, and only then. */
export function searchedChange(change: Change): SearchedChange {
  if (change.subject === 'resource') {
    return { change, after: resourceRow(change.resource), before: rowBefore(change) }
  }
  const { status, observedGenerationBefore: before } = change
  return {
    change,
    after: statusRow(status),
    before: before === null ? null : statusRow({ ...status, observedGeneration: before }),
  }
}

/** A resource as searches see it, with the times of conditions as of its last change. */
export function resourceRow(resource: ReadResource): SearchRow {
  return new ResourceRow(resource, resource)
}

function rowBefore({ resource, before }: ResourceChange): SearchRow | null {
  return before && new ResourceRow(resource, before)
}

/** What never changes is the resource's; the rest is the state's. */
class ResourceRow implements SearchRow {
  readonly #resource: ReadResource
  readonly #state: SearchedState
  #labels: SearchRow['labels'] | null = null
  #spec: SearchRow['spec'] | null = null
  #conditions: SearchRow['conditions'] | null = null

  constructor(resource: ReadResource, state: SearchedState) {
    this.#resource = resource
    this.#state = state
  }

  get labels(): SearchRow['labels'] {
    return (this.#labels ??= labelsIn(this.#state.labels))
  }

  get spec(): SearchRow['spec'] {
    return (this.#spec ??= specIn(this.#state.spec))
  }

  get conditions(): SearchRow['conditions'] {
    return (this.#conditions ??= new Map(this.#state.conditions.map((each) => [each.type, each])))
  }

  readonly scalar: SearchRow['scalar'] = (column) => {
    switch (column) {
      case 'generation':
        return this.#state.generation
      case 'updated_time':
        return this.#state.updatedTime
      case 'updated_by':
        return this.#state.updatedBy
      case 'deleted_time':
        return this.#state.deletedTime
      case 'id':
        return this.#resource.id
      case 'kind':
        return this.#resource.kind
      case 'name':
        return this.#resource.name
      case 'owner_id':
        return this.#resource.ownerId
      case 'created_time':
        return this.#resource.createdTime
      case 'created_by':
        return this.#resource.createdBy
      default:
        throw new Error(`no column ${column}`)
    }
  }
}

function labelsIn(text: string): SearchRow['labels'] {
  return JSON.parse(text)
}

function specIn(text: string): SearchRow['spec'] {
  return JSON.parse(text)
}
