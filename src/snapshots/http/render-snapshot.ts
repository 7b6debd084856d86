import { createHash } from 'node:crypto'
import type { ReadResource } from '../../store/model/resource.ts'
import type { SubtreeState } from '../cache/subtree-state.ts'
import type { StoredSerializer } from '../../hyperfleet/wire/representation.ts'
import type { ReportRenderer } from './render-report.ts'
import type { Parts, Selection } from './selection.ts'

/** A serialized snapshot without its time. */
export interface RenderedResources {
  /** The value of `resources` as JSON, and the end of the snapshot. */
  readonly tail: Buffer
  /** Identifies the content without report times. Equal on every server. */
  readonly etag: string
}

/** Serializes the selected parts of a subtree. */
export type SnapshotRenderer = (state: SubtreeState, selection: Selection) => RenderedResources

/** A list of items as JSON. */
interface RenderedList {
  readonly bytes: Buffer
  readonly digest: Buffer
}

interface Renderers {
  readonly parts: Parts
  readonly resource: StoredSerializer
  readonly report: ReportRenderer
}

const GROUP = 'hyperfleet'
const COMMA = Buffer.from(',')

/** Serializes each list once, and the whole only after a change. */
export function createSnapshotRenderer({ parts, resource, report }: Renderers): SnapshotRenderer {
  const lists = new WeakMap<readonly object[], RenderedList>()
  /** The last requested selection of each state. */
  const wholes = new WeakMap<SubtreeState, RenderedResources & { readonly key: string }>()

  function list<Item extends object>(
    items: readonly Item[],
    text: (item: Item) => { readonly text: string; readonly stable: string },
  ): RenderedList {
    const known = lists.get(items)
    if (known) return known
    const hash = createHash('sha1')
    const texts = items.map((item) => {
      const { text: written, stable } = text(item)
      hash.update(stable).update('\n')
      return written
    })
    const rendered = { bytes: Buffer.from(`[${texts.join(',')}]`), digest: hash.digest() }
    lists.set(items, rendered)
    return rendered
  }

  const resourceText = (item: ReadResource) => {
    const text = resource(item)
    return { text, stable: text }
  }

  function render(state: SubtreeState, selection: Selection, key: string): RenderedResources {
    const hash = createHash('sha1').update(`${state.root.id} ${key}`)
    const pieces: Buffer[] = []
    for (const { resource: name, kind } of parts.of(selection)) {
      const items = kind === null ? state.reports : (state.resources.get(kind) ?? [])
      if (items.length === 0 && !selection.includeEmpty) continue
      const { bytes, digest } =
        kind === null
          ? list(state.reports, report)
          : list(state.resources.get(kind) ?? [], resourceText)
      hash.update(digest)
      if (pieces.length > 0) pieces.push(COMMA)
      pieces.push(Buffer.from(`${partHead(name, items.length)}"items":`), bytes, CLOSE)
    }
    const tail = Buffer.concat([OPEN_LIST, ...pieces, END])
    return { tail, etag: `"${hash.digest('base64url')}"` }
  }

  return (state, selection) => {
    const key = keyOf(selection)
    const known = wholes.get(state)
    if (known?.key === key) return known
    const whole = { ...render(state, selection, key), key }
    wholes.set(state, whole)
    return whole
  }
}

const OPEN_LIST = Buffer.from('[')
const CLOSE = Buffer.from('}')
const END = Buffer.from(']}')

/** A snapshot contains complete lists only, so `synced` is always true. */
function partHead(resource: string, count: number): string {
  return `{"group":"${GROUP}","resource":"${resource}","synced":true,"itemCount":${count},`
}

function keyOf({ resources, includeEmpty }: Selection): string {
  return `${resources?.join(',') ?? '*'} ${includeEmpty}`
}
