import { objectOf } from '../../lib/json/json-fields.ts'
import type { ApiObject } from '../model/api-object.ts'
import type { NativeResource } from '../model/native-resource.ts'
import { resourceKey } from '../model/resource-type.ts'
import { FLOW_SCHEMA_TYPE } from '../native/flow-control/flow-schema-type.ts'
import { ROOT_PLANE } from '../planes/root-plane.ts'
import { defaultObjects, MANDATORY_SCHEMAS } from './default-objects.ts'
import { flowSchemaErrors } from './flow-schema-errors.ts'
import { conditionErrors } from './object-errors.ts'
import { withDefaults } from './with-defaults.ts'

/** The key of flow schemas in configurations. */
export const FLOW_SCHEMAS_KEY = resourceKey(FLOW_SCHEMA_TYPE)

const DEFAULTS = { matchingPrecedence: 1000 }

function prepare(schema: ApiObject): ApiObject {
  const spec = withDefaults(objectOf(schema['spec']), DEFAULTS, { replacesZero: true })
  return { ...schema, spec }
}

/** The rules that assign requests to priority levels. They are objects of the root plane. */
export const FLOW_SCHEMAS: NativeResource = {
  type: FLOW_SCHEMA_TYPE,
  strategy: {
    prepareCreate: prepare,
    prepareUpdate: prepare,
    validate: (schema, _old, { subresource }) =>
      subresource === 'status' ? conditionErrors(schema) : flowSchemaErrors(schema),
  },
  initialObjects: defaultObjects(FLOW_SCHEMA_TYPE, MANDATORY_SCHEMAS),
  isConfiguration: true,
  servedIn: (plane) => plane === ROOT_PLANE,
}
