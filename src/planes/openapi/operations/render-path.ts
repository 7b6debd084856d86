import type { JsonObject } from '../../../lib/json/json.ts'
import type { Operation } from './operation.ts'
import { type ParameterForm, parameterOf } from './parameters.ts'

/** The operations of a path by their methods, with the parameters of the path. */
export function renderPath(
  [first, ...others]: readonly [Operation, ...Operation[]],
  renderOperation: (operation: Operation) => JsonObject,
  form: ParameterForm,
): JsonObject {
  const { pathParameters } = first
  return {
    ...Object.fromEntries(
      [first, ...others].map((operation) => [operation.method, renderOperation(operation)]),
    ),
    ...(pathParameters.length > 0 && {
      parameters: pathParameters.map((name) => parameterOf(name, form)),
    }),
  }
}
