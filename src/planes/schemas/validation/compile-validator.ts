import { isSameJson } from '../../../lib/json/same-json.ts'
import type { Schema } from '../../model/schema.ts'
import { compileArrayCheck, compileUniqueCheck } from './check-array.ts'
import { compileEnumCheck } from './check-enum.ts'
import { compileJunctorChecks } from './check-junctors.ts'
import { compileNumberCheck } from './check-number.ts'
import { compileObjectCheck } from './check-object.ts'
import { compileStringCheck } from './check-string.ts'
import { compileTypeCheck } from './check-type.ts'
import { type Check, countChecks, keepLoop, pausedLoop } from './validation-run.ts'

const COMPILED = new WeakMap<Schema, Check>()

/** The check of a schema. It is compiled once, when it is first needed. */
export function compileValidator(schema: Schema): Check {
  const cached = COMPILED.get(schema)
  if (cached) return cached
  const check = ratcheting(combined(schema))
  COMPILED.set(schema, check)
  return check
}

function combined(schema: Schema): Check {
  const typeCheck = compileTypeCheck(schema)
  const enumCheck = compileEnumCheck(schema)
  const others = [
    ...compileJunctorChecks(schema, compileValidator),
    compileStringCheck(schema),
    compileNumberCheck(schema),
    compileArrayCheck(schema, compileValidator),
    compileUniqueCheck(schema),
    compileObjectCheck(schema, compileValidator),
  ].filter((check) => check !== null)
  return (value, old, path, run) => {
    const paused = pausedLoop(run)
    if (!paused) {
      countChecks(run, 1 + others.length)
      typeCheck?.(value, old, path, run)
      enumCheck?.(value, old, path, run)
      if (value === null) return
    }
    let next = paused?.next ?? 0
    try {
      for (; next < others.length; next += 1) others[next]?.(value, old, path, run)
    } catch (error) {
      throw keepLoop(error, run, { next })
    }
  }
}

/** Ignores the violations of a value that the update does not change. */
function ratcheting(check: Check): Check {
  return (value, old, path, run) => {
    if (old === undefined) {
      check(value, old, path, run)
      return
    }
    const before = pausedLoop(run)?.next ?? run.errors.length
    try {
      check(value, old, path, run)
    } catch (error) {
      throw keepLoop(error, run, { next: before })
    }
    if (run.errors.length === before) return
    if (isSameJson(value, old)) run.errors.length = before
  }
}
