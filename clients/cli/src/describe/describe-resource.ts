import { explainReadiness, NotFound } from '../../../typescript/src/index.ts'
import type { ChangeList } from '../../../typescript/src/index.ts'
import { age } from '../output/age.ts'
import { objectText } from '../output/object-text.ts'
import type { Terminal } from '../output/terminal.ts'
import { visibleText } from '../output/visible-text.ts'
import { addParentNames } from '../resources/parent-names.ts'
import type { Session } from '../session/session.ts'
import { collectionOf } from '../targets/collection-of.ts'
import type { KindTarget } from '../targets/kind-target.ts'
import { type ResourceName, readResource } from '../targets/read-resource.ts'
import type { Resource } from '../targets/resource.ts'
import { readReadiness } from '../why/read-readiness.ts'
import { adapterSection } from './adapter-section.ts'
import { changeSection } from './change-section.ts'
import { childSections } from './children.ts'
import { conditionSection } from './condition-section.ts'
import { fieldLines } from './field-lines.ts'
import { requirementSection } from './requirement-section.ts'
import { sectionLines } from './section.ts'

const FLEET_LABEL = 'kplane.dev/fleet'
const MAX_CHANGES = 10

interface Described extends ResourceName {
  readonly target: KindTarget
}

/** Prints everything about one resource. */
export async function describeResource(session: Session, described: Described): Promise<void> {
  const { out } = session
  const { target } = described
  const resource = await readResource(session, target, described)
  const [input, children, changes, parent] = await Promise.all([
    readReadiness(session, target, resource),
    childSections(session, target, resource),
    readChanges(session, target, resource),
    parentName(session, target, resource),
  ])
  const now = session.now()
  const { sentence, requirements, ready } = explainReadiness({ ...input, now })
  const conditions = resource.status.conditions.map((one) => ({
    type: one.type,
    status: one.status,
    since: one.last_transition_time,
    generation: one.observed_generation,
    reason: one.reason,
    message: one.message,
  }))
  const sections = [
    ...(ready ? [] : [requirementSection(requirements, now)]),
    conditionSection(conditions, now),
    adapterSection({ statuses: input.statuses, requirements, now }),
    ...children,
    ...(changes === null ? [] : [changeSection(changes, now)]),
  ]
  const blocks = [
    fieldLines({ ...fieldsOf(resource, now), ...parent, Readiness: sentence }, out),
    ...(await Promise.all(sections.map((section) => sectionLines(section, out)))),
    yamlLines('Spec', await objectText({ name: 'yaml' }, resource.spec), out),
  ]
  out.write(`${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`)
}

function fieldsOf(resource: Resource, now: Date): Readonly<Record<string, string | null>> {
  const { labels, deleted_time: deleted } = resource
  const when = (time: string) => `${time} (${age(time, now)} ago)`
  return {
    Name: resource.name,
    Kind: resource.kind,
    ID: resource.id,
    Labels: pairText(labels) ?? '<none>',
    Annotations: pairText(resource.annotations),
    Generation: String(resource.generation),
    Created: `${when(resource.created_time)} by ${resource.created_by}`,
    Updated: `${when(resource.updated_time)} by ${resource.updated_by}`,
    Deleting: deleted === undefined ? null : `since ${when(deleted)}`,
    Fleet: labels[FLEET_LABEL] ?? null,
  }
}

/** The changes; null if the server is too old to have them. */
async function readChanges(
  session: Session,
  target: KindTarget,
  { id }: Resource,
): Promise<ChangeList | null> {
  const { signal } = session
  try {
    return await collectionOf(session, target).changes(id, { limit: MAX_CHANGES, signal })
  } catch (error) {
    if (error instanceof NotFound) return null
    throw error
  }
}

async function parentName(
  session: Session,
  target: KindTarget,
  resource: Resource,
): Promise<Readonly<Record<string, string>>> {
  if (target.parentKind === null) return {}
  const names = new Map<string, string>()
  await addParentNames(session, target, { resources: [resource], names })
  const id = resource.owner_references?.id ?? ''
  return { [target.parentKind]: names.get(id) ?? id }
}

/** Labels or annotations as one text; null without any. */
function pairText(pairs: Readonly<Record<string, string>> | undefined): string | null {
  const texts = Object.entries(pairs ?? {}).map(([key, value]) => `${key}=${value}`)
  return texts.length === 0 ? null : texts.join(', ')
}

/** A titled document. */
function yamlLines(title: string, yaml: string, { colors }: Terminal): readonly string[] {
  const lines = visibleText(yaml.trimEnd(), 'keep lines').split('\n')
  return [colors.bold(`${title}:`), ...lines.map((line) => `  ${line}`)]
}
