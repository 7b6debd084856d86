import { isJsonObject } from '../documents/json-object.ts'
import { age } from '../output/age.ts'
import { objectText } from '../output/object-text.ts'
import { objectPath } from '../planes/object-path.ts'
import type { PlaneObject } from '../planes/plane-object.ts'
import { readObject } from '../planes/read-object.ts'
import type { Session } from '../session/session.ts'
import type { PlaneTarget } from '../targets/kind-target.ts'
import { objectSentence } from '../why/object-sentence.ts'
import { conditionSection } from './condition-section.ts'
import { fieldLines } from './field-lines.ts'
import { pairText } from './pair-text.ts'
import { type Section, sectionLines } from './section.ts'
import { yamlLines } from './yaml-lines.ts'

interface DescribedObject {
  readonly target: PlaneTarget
  readonly name: string
  readonly namespace?: string | undefined
}

interface EventList {
  readonly items: readonly {
    readonly type?: string | undefined
    readonly reason?: string | undefined
    readonly message?: string | undefined
    readonly lastTimestamp?: string | null | undefined
  }[]
}

/** Prints everything about one object of a plane. */
export async function describeObject(session: Session, described: DescribedObject): Promise<void> {
  const { out } = session
  const { target, name } = described
  const object = await readObject(session, target, name, described)
  const events = await readEvents(session, target, object)
  const now = session.now()
  const conditions = (object.status?.conditions ?? []).map((one) => ({
    type: one.type,
    status: one.status,
    since: one.lastTransitionTime,
    generation: one.observedGeneration,
    reason: one.reason,
    message: one.message,
  }))
  const sections = [
    ...(conditions.length === 0 ? [] : [conditionSection(conditions, now)]),
    ...(events.items.length === 0 ? [] : [eventSection(events, now)]),
  ]
  const blocks = [
    fieldLines(fieldsOf(object, target, now), out),
    ...(await Promise.all(sections.map((section) => sectionLines(section, out)))),
    yamlLines('Content', await objectText({ name: 'yaml' }, contentOf(object)), out),
  ]
  out.write(`${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`)
}

function fieldsOf(
  object: PlaneObject,
  { cluster }: PlaneTarget,
  now: Date,
): Readonly<Record<string, string | null>> {
  const { metadata, kind, apiVersion } = object
  const { labels, annotations, creationTimestamp: created } = metadata
  return {
    Name: metadata.name,
    Namespace: metadata.namespace ?? null,
    Kind: `${kind} (${apiVersion})`,
    Plane: cluster,
    Labels: pairText(textsOf(labels)) ?? '<none>',
    Annotations: pairText(textsOf(annotations)),
    Created: typeof created === 'string' ? `${created} (${age(created, now)} ago)` : null,
    Readiness: object.status?.conditions === undefined ? null : objectSentence(object, now),
  }
}

function textsOf(value: unknown): Readonly<Record<string, string>> {
  if (!isJsonObject(value)) return {}
  return Object.fromEntries(Object.entries(value).map(([key, text]) => [key, String(text)]))
}

/** Everything that the other parts do not show. The values of secrets stay hidden. */
function contentOf(object: PlaneObject): unknown {
  const { kind, apiVersion } = object
  const content = without(object, ['apiVersion', 'kind', 'metadata', 'status'])
  const status = without(object.status ?? {}, ['conditions'])
  const shown = Object.keys(status).length === 0 ? content : { ...content, status }
  const data = object['data']
  if (kind !== 'Secret' || apiVersion !== 'v1' || !isJsonObject(data)) return shown
  const sizes = Object.entries(data).map(([key, value]) => {
    const bytes = Buffer.from(String(value), 'base64').length
    return [key, `<${bytes} bytes>`]
  })
  return { ...shown, data: Object.fromEntries(sizes) }
}

function without(object: object, fields: readonly string[]): object {
  return Object.fromEntries(Object.entries(object).filter(([field]) => !fields.includes(field)))
}

/** The events about an object. Cluster-scoped objects have theirs in the default namespace. */
async function readEvents(
  { client, signal }: Session,
  { cluster }: PlaneTarget,
  { metadata }: PlaneObject,
): Promise<EventList> {
  const namespace = metadata.namespace ?? 'default'
  const path = objectPath({ cluster, group: '', version: 'v1', plural: 'events', namespace })
  const query = { fieldSelector: `involvedObject.uid=${metadata.uid ?? ''}` }
  const request = { method: 'GET', path, query, retry: 'always', signal } as const
  return (await client.request<EventList>(request)).body
}

function eventSection({ items }: EventList, now: Date): Section {
  return {
    title: 'Events',
    empty: 'none',
    columns: [{ header: 'AGE' }, { header: 'TYPE' }, { header: 'REASON', shrinksTo: 10 }],
    rows: items.map(({ type = '', reason = '', message, lastTimestamp }) => ({
      cells: [age(lastTimestamp ?? undefined, now), type, reason],
      note: message,
    })),
  }
}
