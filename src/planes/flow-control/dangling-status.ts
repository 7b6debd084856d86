import type { JsonObject } from '../../lib/json/json.ts'
import { objectOf, objectsOf, textOf } from '../../lib/json/json-fields.ts'
import type { PlaneConfigurations } from '../../store/objects/model/plane-configuration.ts'
import type { StoredObject } from '../../store/objects/model/stored-object.ts'
import type { NativeResource } from '../model/native-resource.ts'
import { PRIORITY_LEVELS_KEY } from './priority-levels.ts'

const DANGLING = 'Dangling'

/** Shows in the status of flow schemas whether their priority levels exist. */
export function danglingStatus(
  configurations: PlaneConfigurations,
): NonNullable<NativeResource['complete']> {
  return async (schemas) => {
    const [first] = schemas
    if (first === undefined) return schemas
    const configuration = await configurations.of(first.plane)
    const levels = new Map(
      configuration.objects(PRIORITY_LEVELS_KEY).map((level) => [level.name, level]),
    )
    return schemas.map((schema) => withCondition(schema, levels))
  }
}

function withCondition(
  schema: StoredObject,
  levels: ReadonlyMap<string, StoredObject>,
): StoredObject {
  const { body } = schema
  const name = textOf(objectOf(objectOf(body['spec'])['priorityLevelConfiguration'])['name'])
  const level = levels.get(name)
  const status = objectOf(body['status'])
  const conditions = objectsOf(status['conditions'])
  const old = conditions.find(({ type }) => type === DANGLING)
  const current = conditionOf(name, level === undefined)
  const isUnchanged = old?.['status'] === current['status']
  const lastTransitionTime =
    (isUnchanged ? textOf(old?.['lastTransitionTime']) : '') || sinceOf(schema, level)
  const others = conditions.filter(({ type }) => type !== DANGLING)
  const condition = { ...current, lastTransitionTime }
  return { ...schema, body: { ...body, status: { ...status, conditions: [...others, condition] } } }
}

function conditionOf(level: string, isDangling: boolean): JsonObject {
  const reference = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)}`
  return isDangling
    ? {
        type: DANGLING,
        status: 'True',
        reason: 'NotFound',
        message: `${reference} but there is no such object`,
      }
    : { type: DANGLING, status: 'False', reason: 'Found', message: `${reference} and it exists` }
}

/** When the later of the two objects was created. */
function sinceOf(schema: StoredObject, level: StoredObject | undefined): string {
  const [earlier = '', later = earlier] = [schema, level]
    .map((object) => textOf(objectOf(object?.body['metadata'])['creationTimestamp']))
    .toSorted()
  return later
}
