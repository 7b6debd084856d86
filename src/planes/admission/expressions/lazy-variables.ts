import type { CelValue } from '../../../lib/cel/values/value.ts'

/**
 * The map `variables` of a policy. Each variable is evaluated at its first use, so that an expression
 * that guards a use also guards the evaluation. The engine knows maps by their constructor, so this
 * is no subclass.
 */
export function lazyVariables(
  variables: ReadonlyMap<string, () => CelValue>,
): ReadonlyMap<string, CelValue> {
  const values = new Map<string, CelValue>()
  const map = new Map<string, CelValue>()
  map.has = (name) => variables.has(name)
  map.get = (name) => {
    const evaluate = variables.get(name)
    if (evaluate === undefined) return undefined
    if (!values.has(name)) values.set(name, evaluate())
    return values.get(name)
  }
  return map
}
