import { CelStruct, type CelValue, isList } from '../../../lib/cel/values/value.ts'
import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts'
import type { Values } from '../../expressions/compile-program.ts'
import type { EvaluationBudget } from '../../expressions/evaluation-budget.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { Schema } from '../../model/schema.ts'
import { applyJsonPatchBody } from '../../patches/json-patch-body.ts'
import { failedOperation } from '../../patches/patch-failure.ts'
import { jsonOfCel, requireTypesOfPaths } from '../expressions/mutation-language.ts'
import { applyConfiguration } from '../../apply/apply-configuration.ts'
import type { Mutation } from './mutating-policy.ts'

/** The object after one mutation, whose expression is evaluated with these variables. */
export async function mutateObject(
  { kind, program }: Mutation,
  object: ApiObject,
  {
    values,
    budget,
    schema,
  }: {
    readonly values: Values
    readonly budget: EvaluationBudget
    readonly schema: Schema
  },
): Promise<JsonObject> {
  const result = await program().evaluate(values, budget)
  const mutated = kind === 'apply' ? applied(object, result, schema) : patched(object, result)
  if (isJsonObject(mutated)) return mutated
  throw new Error('the mutated object is not an object')
}

function applied(object: ApiObject, result: CelValue, schema: Schema) {
  requireTypesOfPaths(result)
  const configuration = jsonOfCel(result)
  if (!isJsonObject(configuration)) throw new Error('the result of the expression is no Object')
  return applyConfiguration(object, configuration, schema)
}

/** A patch whose test fails changes nothing. */
function patched(object: ApiObject, result: CelValue) {
  const operations = isList(result) ? result : [result]
  for (const operation of operations) {
    const value = operation instanceof CelStruct ? operation.field('value') : undefined
    if (value instanceof CelStruct) requireTypesOfPaths(value, value.type.name)
  }
  try {
    return applyJsonPatchBody(object, operations.map(jsonOfCel))
  } catch (error) {
    const failed = operations[failedOperation(error) ?? -1]
    if (failed instanceof CelStruct && failed.field('op') === 'test') return object
    throw error
  }
}
