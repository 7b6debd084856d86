import type { ObjectChange } from '../../../store/objects/model/object-change.ts'
import type { ObjectQuery } from '../../../store/objects/model/object-query.ts'
import type { ObjectWrite, SearchedFields } from '../../../store/objects/model/object-write.ts'
import type { ObjectKey, StoredObject } from '../../../store/objects/model/stored-object.ts'
import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts'
import type { ResourceStore } from '../../model/resource-store.ts'
import { resourceKey } from '../../model/resource-type.ts'
import { fromCoreEvent, fromCorePath, toCoreEvent, toCorePath } from './convert-event.ts'
import { EVENT_TYPE, GROUPED_EVENT_TYPE } from './event-types.ts'
import { jsonText, parseJsonText } from '../../../lib/json/json-text.ts'

const STORED = resourceKey(EVENT_TYPE)
const SHOWN = resourceKey(GROUPED_EVENT_TYPE)

function stored<Key extends Pick<ObjectKey, 'resource'>>(key: Key): Key {
  return { ...key, resource: STORED }
}

function shown(object: StoredObject): StoredObject {
  return { ...object, resource: SHOWN, body: fromCoreEvent(object.body) }
}

function searched(
  { labels, fields }: SearchedFields,
  rename: (path: string) => string,
): SearchedFields {
  const renamed = Object.entries(fields).map(([path, value]) => [rename(path), value] as const)
  return { labels, fields: Object.fromEntries(renamed) }
}

function storedQuery(query: ObjectQuery): ObjectQuery {
  const fields = query.selector.fields.map((requirement) => ({
    ...requirement,
    field: toCorePath(requirement.field),
  }))
  return { ...stored(query), selector: { ...query.selector, fields } }
}

function storedWrite(write: ObjectWrite): ObjectWrite {
  const converted = { key: stored(write.key), body: toCoreEvent(write.body) }
  return write.type === 'create'
    ? { ...write, ...converted }
    : { ...write, ...converted, before: searched(write.before, toCorePath) }
}

function parsed(text: string): JsonObject {
  const value = parseJsonText(text)
  return isJsonObject(value) ? value : {}
}

function shownChange(change: ObjectChange): ObjectChange {
  return {
    ...change,
    resource: SHOWN,
    body: jsonText(fromCoreEvent(parsed(change.body))),
    before: change.before && searched(change.before, fromCorePath),
  }
}

/** The stored events of the core group in the form of events.k8s.io/v1. */
export function groupedEventStore(events: ResourceStore): ResourceStore {
  return {
    read: async (key) => {
      const object = await events.read(stored(key))
      return object && shown(object)
    },
    list: async (query) => {
      const page = await events.list(storedQuery(query))
      return { ...page, objects: page.objects.map(shown) }
    },
    write: async (write, user) => {
      const outcome = await events.write(storedWrite(write), user)
      return outcome.status === 'written' && outcome.object
        ? { ...outcome, object: shown(outcome.object) }
        : outcome
    },
    follow: (scope, after, subscriber) =>
      events.follow(stored(scope), after, {
        ...subscriber,
        onChanges: (changes) => {
          subscriber.onChanges(changes.map(shownChange))
        },
      }),
  }
}
