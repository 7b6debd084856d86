import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { invalidValue, requiredValue, tooMany } from '../../errors/field-errors.ts'
import type { Schema } from '../../model/schema.ts'
import { memberOf } from '../canonical-text.ts'
import {
  type Check,
  childPath,
  type Compile,
  keepLoop,
  pausedLoop,
  pauseIfLong,
  report,
  type ValidationRun,
} from './validation-run.ts'

/** Checks the members of objects and their number. Null if the schema has no such rule. */
export function compileObjectCheck(schema: Schema, compile: Compile): Check | null {
  const properties = Object.entries(schema.properties ?? {}).map(
    ([name, property]) => [name, compile(property)] as const,
  )
  const known = new Map(properties)
  const { required = [] } = schema
  const checkOther = compileOthers(schema, compile)
  const checkCount = compileCount(schema)
  if (known.size === 0 && required.length === 0 && !checkOther && !checkCount) return null
  const isGranular = schema['x-kubernetes-map-type'] !== 'atomic'
  return (value, old, path, run) => {
    if (!isJsonObject(value)) return
    const oldObject = isGranular && isJsonObject(old) ? old : null
    const paused = pausedLoop(run)
    if (!paused) checkCount?.(value, undefined, path, run)
    const names = paused?.names ?? Object.keys(value)
    let next = paused?.next ?? 0
    try {
      for (; next < names.length; next += 1) {
        const name = names[next] ?? ''
        const member = value[name]
        const check = known.get(name) ?? checkOther
        if (!check || member === undefined) continue
        pauseIfLong(run)
        check(member, oldMember(oldObject, name, path), childPath(path, name), run)
      }
    } catch (error) {
      throw keepLoop(error, run, { next, names })
    }
    checkRequired(required, value, path, run)
  }
}

/** A changed apiVersion is invisible, because both objects have been converted to the same one. */
function oldMember(old: JsonObject | null, name: string, path: string): JsonValue | undefined {
  if (old === null || (path === '' && (name === 'kind' || name === 'apiVersion'))) return undefined
  return memberOf(old, name)
}

function checkRequired(
  required: readonly string[],
  value: JsonObject,
  path: string,
  run: ValidationRun,
): void {
  for (const name of required) {
    if (!Object.hasOwn(value, name)) report(run, requiredValue(childPath(path, name)))
  }
}

function compileOthers({ additionalProperties }: Schema, compile: Compile): Check | null {
  if (additionalProperties === undefined || additionalProperties === true) return null
  if (additionalProperties !== false) return compile(additionalProperties)
  return (_value, _old, path, run) => {
    report(run, invalidValue(path, '', `${path} in body is a forbidden property`))
  }
}

function compileCount({ minProperties, maxProperties }: Schema): Check | null {
  if (minProperties === undefined && maxProperties === undefined) return null
  return (value, _old, path, run) => {
    if (!isJsonObject(value)) return
    const count = Object.keys(value).length
    if (minProperties !== undefined && count < minProperties) {
      const detail = `${path} in body should have at least ${minProperties} properties`
      report(run, invalidValue(path, count, detail))
    }
    if (maxProperties !== undefined && count > maxProperties) {
      report(run, tooMany(path, count, maxProperties))
    }
  }
}
