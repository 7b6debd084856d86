import type { Change, ResourceChange, SearchedState } from '../../model/change.ts'
import { must } from '../../../lib/assert.ts'
import type { ReadResource } from '../../model/resource.ts'
import {
  isLogged,
  type LoggedField,
  RESOURCE_FIELDS,
  SEARCHABLE_FIELDS,
  type SearchableField,
} from '../../model/resource-fields.ts'
import type { SearchRow } from '../../search/memory/search-row.ts'
import { statusRow } from '../../search/memory/status-row.ts'

/** A change in the form that searches evaluate. All watches share it. */
export interface SearchedChange {
  readonly change: Change
  readonly after: SearchRow
  /** Null unless the change is a modification. */
  readonly before: SearchRow | null
}

/** The rows of a change. Their JSON is parsed only when a search needs it. */
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

/** A resource in the form that searches evaluate, with the condition times of its last change. */
export function resourceRow(resource: ReadResource): SearchRow {
  return new ResourceRow(resource, resource)
}

function rowBefore({ resource, before }: ResourceChange): SearchRow | null {
  return before && new ResourceRow(resource, before)
}

/** Reads fields that never change from the resource, and the others from its state. */
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

  /** The log has no earlier `deletedBy`. It is set together with `deletedTime`, and only once. */
  readonly scalar: SearchRow['scalar'] = (column) => {
    const field = must(SCALARS.get(column), `column ${column}`)
    if (field.name === 'deletedBy' && this.#state.deletedTime === null) return null
    return field.inState ? this.#state[field.name] : this.#resource[field.name]
  }
}

/** A field, and whether the state before a change has it. */
type Scalar =
  | { readonly inState: true; readonly name: SearchableField & LoggedField }
  | { readonly inState: false; readonly name: SearchableField }

const SCALARS: ReadonlyMap<string, Scalar> = new Map(
  SEARCHABLE_FIELDS.map((name): readonly [string, Scalar] => {
    const { column } = RESOURCE_FIELDS[name]
    return [column, isLogged(name) ? { inState: true, name } : { inState: false, name }]
  }),
)

function labelsIn(text: string): SearchRow['labels'] {
  return JSON.parse(text)
}

function specIn(text: string): SearchRow['spec'] {
  return JSON.parse(text)
}
