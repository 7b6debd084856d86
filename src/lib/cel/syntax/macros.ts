import type { Call, Expression, Fold } from './expression.ts'

/** The expansion of a call, or the problem of an argument. */
export type Expansion =
  | { readonly node: Expression }
  | { readonly problem: string; readonly at: number }

/** Expands a call; null if the call is not a macro after all. */
export type Macro = (call: Call) => Expansion | null

/** Macros by `macroKey`. */
export type Macros = ReadonlyMap<string, Macro>

/** The key of a macro: methods and functions with other numbers of arguments are not macros. */
export function macroKey(name: string, isMethod: boolean, count: number): string {
  return `${isMethod ? '.' : ''}${name}/${count}`
}

/** Expands a call if its name is that of a macro; null otherwise. */
export function expandMacro(call: Call, macros: Macros): Expansion | null {
  const macro = macros.get(macroKey(call.name, call.target !== null, call.args.length))
  return macro === undefined ? null : macro(call)
}

/** A call of a function or operator at the place of another node. */
export function callOf({ at }: Expression, name: string, ...args: Expression[]): Call {
  return { kind: 'call', name, target: null, args, at }
}

/** Binds a variable to a value in an expression. */
export function bindingOf(name: string, value: Expression, body: Expression): Fold {
  const { at } = value
  return {
    kind: 'fold',
    range: { kind: 'list', items: [], at },
    variable: '#unused',
    second: null,
    accumulator: name,
    initial: value,
    condition: { kind: 'literal', value: false, at },
    step: { kind: 'identifier', name, at },
    result: body,
    at,
  }
}

/** Whether a loop only binds a variable. */
export function isBinding({ range, condition, variable }: Fold): boolean {
  return (
    range.kind === 'list' &&
    range.items.length === 0 &&
    condition.kind === 'literal' &&
    condition.value === false &&
    variable === '#unused'
  )
}
