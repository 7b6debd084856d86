import { isJsonObject, type JsonObject } from '../../lib/json/json.ts'
import { objectOf } from '../../lib/json/json-fields.ts'
import type { ApiObject } from '../model/api-object.ts'
import type { NativeResource } from '../model/native-resource.ts'
import { resourceKey } from '../model/resource-type.ts'
import { PRIORITY_LEVEL_TYPE } from '../native/flow-control/priority-level-type.ts'
import { ROOT_PLANE } from '../planes/root-plane.ts'
import { DEFAULT_LEVELS, defaultObjects } from './default-objects.ts'
import { conditionErrors } from './object-errors.ts'
import { priorityLevelErrors } from './priority-level-errors.ts'
import { withDefaults } from './with-defaults.ts'

/** The key of priority levels in configurations. */
export const PRIORITY_LEVELS_KEY = resourceKey(PRIORITY_LEVEL_TYPE)

const LIMITED = { nominalConcurrencyShares: 30, lendablePercent: 0 }
const EXEMPT = { nominalConcurrencyShares: 0, lendablePercent: 0 }
const QUEUING = { queues: 64, handSize: 8, queueLengthLimit: 50 }

function prepare(level: ApiObject): ApiObject {
  const spec = objectOf(level['spec'])
  const { limited, exempt } = spec
  return {
    ...level,
    spec: {
      ...spec,
      ...(isJsonObject(limited) && { limited: withLimits(limited) }),
      ...(isJsonObject(exempt) && {
        exempt: withDefaults(exempt, EXEMPT, { replacesZero: false }),
      }),
    },
  }
}

function withLimits(limited: JsonObject): JsonObject {
  const completed = withDefaults(limited, LIMITED, { replacesZero: false })
  const { limitResponse } = limited
  if (!isJsonObject(limitResponse) || !isJsonObject(limitResponse['queuing'])) return completed
  const queuing = withDefaults(limitResponse['queuing'], QUEUING, { replacesZero: true })
  return { ...completed, limitResponse: { ...limitResponse, queuing } }
}

/** The classes of requests. They are objects of the root plane. */
export const PRIORITY_LEVELS: NativeResource = {
  type: PRIORITY_LEVEL_TYPE,
  strategy: {
    prepareCreate: prepare,
    prepareUpdate: prepare,
    validate: (level, _old, { subresource }) =>
      subresource === 'status' ? conditionErrors(level) : priorityLevelErrors(level),
  },
  initialObjects: defaultObjects(PRIORITY_LEVEL_TYPE, DEFAULT_LEVELS),
  isConfiguration: true,
  servedIn: (plane) => plane === ROOT_PLANE,
}
