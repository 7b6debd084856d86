import type { ObjectChange } from '../../store/objects/model/object-change.ts'
import { storedObjectOf } from '../../store/objects/model/changed-object.ts'
import type { StoredObject } from '../../store/objects/model/stored-object.ts'
import type { ApiObject } from '../model/api-object.ts'
import { apiVersionOf } from '../model/resource-type.ts'
import { notAcceptable } from '../negotiation/negotiate.ts'
import type { OperationsContext } from '../operations/context.ts'
import { oneToVersion, storedObject, withReadDefaults } from '../operations/versioned-object.ts'
import { presentObject, tableFor } from '../verbs/send-object.ts'
import type { VerbRequest } from '../verbs/verb-request.ts'
import { bookmarkObject, eventJson } from './watch-events.ts'

/** Renders the events of one watch as lines. */
export interface EventRenderer {
  /** The event of an object that exists when the watch begins. */
  initial(object: StoredObject): Promise<string>
  change(change: ObjectChange, type: ObjectChange['type']): string | Promise<string>
  /** The JSON of a bookmark, not yet a line. */
  bookmark(resourceVersion: string, annotations?: Readonly<Record<string, string>>): string
}

/** Lines that watches with the same representation share. */
const SHARED = new WeakMap<ObjectChange, Map<string, string>>()

/** Creates the renderer of the representation that a request accepts. */
export function createEventRenderer(context: OperationsContext, verb: VerbRequest): EventRenderer {
  const { target, representation } = verb
  const apiVersion = apiVersionOf(target.type.group, target.version)
  const isTable = representation.shape === 'table'
  if (representation.shape === 'metadata-list') {
    throw notAcceptable('PartialObjectMetadataList is the form of a list, not of an event')
  }
  let hasHeaders = false

  function json(type: ObjectChange['type'] | 'BOOKMARK', object: ApiObject): string {
    return eventJson(type, isTable ? row(object) : presentObject(verb, object))
  }

  function line(type: ObjectChange['type'], object: ApiObject): string {
    return `${json(type, object)}\n`
  }

  /** Only the first table of a watch has column definitions. */
  function row(object: ApiObject) {
    const { resourceVersion = '' } = object.metadata
    const noHeaders = hasHeaders
    hasHeaders = true
    return tableFor(verb, [object], { metadata: { resourceVersion }, noHeaders })
  }

  function render(change: ObjectChange, type: ObjectChange['type']): string | Promise<string> {
    const stored = storedObjectOf(change)
    const object = storedObject(stored)
    if (object.apiVersion === apiVersion) return line(type, withReadDefaults(object, target))
    return oneToVersion(context, target, stored).then((converted) => line(type, converted))
  }

  function renderShared(
    change: ObjectChange,
    type: ObjectChange['type'],
  ): string | Promise<string> {
    const lines = SHARED.get(change) ?? new Map<string, string>()
    SHARED.set(change, lines)
    const key = `${type} ${apiVersion} ${representation.shape} ${representation.metaVersion}`
    const shared = lines.get(key)
    if (shared !== undefined) return shared
    const rendered = render(change, type)
    if (typeof rendered === 'string') lines.set(key, rendered)
    return rendered
  }

  return {
    initial: async (object) => line('ADDED', await oneToVersion(context, target, object)),
    // Tables show ages and their first event has columns, so watches do not share them.
    change: isTable ? render : renderShared,
    bookmark: (resourceVersion, annotations) =>
      json('BOOKMARK', bookmarkObject(target, resourceVersion, annotations)),
  }
}
