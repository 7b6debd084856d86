import type { ReadResource } from '../../model/resource.ts'
import type { FoundResource } from '../../operations/resource-reader.ts'
import { oldestOf, timesOf, timeSources } from '../../status/reflect-times.ts'
import { exactJson } from '../plumbing/exact-json.ts'
import { type Presentation, presentResource } from './resource.ts'

/** A resource as text, all but the times of reports, which move without its version. */
interface Rendered {
  /** The text before, between and after the times. */
  readonly parts: readonly string[]
  /** Whose reports each time is the oldest of. */
  readonly sources: readonly (readonly string[])[]
}

/** A time that is filled in later, as JSON writes it: no stored text has a NUL. */
const TIME_SLOT = /\\u0000(\d+)\\u0000/

/** A member that is filled in with its stored text. */
const TEXT_SLOT = /\{"\\u0000":"(spec|labels|annotations)"\}/g

/** Writes a resource as JSON, with the exact times of its reports. */
export type Renderer = (found: FoundResource) => string

/**
 * Makes a renderer that writes each version of a resource once: reads show the same one again and
 * again, and only the times of reports differ.
 */
export function createRenderer(presentation: Presentation): Renderer {
  const known = new WeakMap<ReadResource, Rendered>()
  return (found) => {
    const { resource, reportTimes } = found
    let rendered = known.get(resource)
    if (!rendered) {
      rendered = render(presentation, found)
      known.set(resource, rendered)
    }
    const { parts, sources } = rendered
    if (sources.length === 0) return parts[0] ?? ''
    const times = timesOf(reportTimes)
    return sources.reduce((text, adapters, index) => {
      const time = oldestOf(adapters, times)?.toISOString() ?? ''
      return text + time + (parts[index + 1] ?? '')
    }, parts[0] ?? '')
  }
}

/** Writes a resource as JSON with the times of its reports as of its last change; keeps nothing. */
export function renderStored(presentation: Presentation, resource: ReadResource): string {
  return render(presentation, { resource, reportTimes: [] }).parts.join('')
}

function render(presentation: Presentation, { resource, reportTimes }: FoundResource): Rendered {
  const kind = presentation.registry.byName(resource.kind)
  const { conditions, generation } = resource
  const sources = timeSources(conditions, kind.requiredAdapters, generation, reportTimes)
  const slotted = conditions.map((condition, index) => {
    if (sources[index]?.length === 0) return condition
    return { ...condition, last_updated_time: `\0${index}\0` }
  })
  const shown = {
    ...resource,
    conditions: slotted,
    spec: textSlot('spec'),
    labels: textSlot('labels'),
    annotations: resource.annotations === '{}' ? {} : textSlot('annotations'),
  }
  const text = exactJson(presentResource(presentation, kind, shown))
  const pieces = text
    .split(TIME_SLOT)
    .map((piece) => piece.replace(TEXT_SLOT, (_slot, member: Member) => resource[member]))
  return {
    parts: pieces.filter((_piece, index) => index % 2 === 0),
    sources: pieces
      .filter((_piece, index) => index % 2 === 1)
      .map((index) => sources[Number(index)] ?? []),
  }
}

type Member = 'spec' | 'labels' | 'annotations'

function textSlot(member: Member): Record<string, string> {
  return { '\0': member }
}
