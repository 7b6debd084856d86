import { must } from '../../lib/assert.ts'
import { jsonText } from '../../lib/json/json-text.ts'
import type { ListOptions, Target } from '../model/object-operations.ts'
import { apiVersionOf, mergesStrategically } from '../model/resource-type.ts'
import type { OperationsContext } from '../operations/context.ts'
import { readList } from '../operations/reads/list-objects.ts'
import type { RevisionOptions } from '../operations/reads/required-revision.ts'
import { storedItemText } from '../operations/reads/stored-item-text.ts'
import { toVersion } from '../operations/versioned-object.ts'
import { withoutKind } from './send-object.ts'

/** The JSON of a list of native objects. Most items are their stored texts. */
export async function listText(
  context: OperationsContext,
  target: Target,
  options: ListOptions & RevisionOptions,
): Promise<string> {
  const { type, version } = target
  const { list, objects } = await readList(context, target, options)
  const omitsKind = mergesStrategically(type)
  const form = { apiVersion: apiVersionOf(type.group, version), kind: type.kind, omitsKind }
  const texts = objects.map((object) => storedItemText(object, form))
  const others = objects.filter((_object, index) => texts[index] === null)
  const converted = (await toVersion(context, target, others)).values()
  const items = texts.map((text) => {
    if (text !== null) return text
    const object = must(converted.next().value, 'a converted object')
    return jsonText(omitsKind ? withoutKind(object) : object)
  })
  return `${jsonText(list).slice(0, -1)},"items":[${items.join(',')}]}`
}
