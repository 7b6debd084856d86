import { bindingOf, callOf, type Macro, macroKey, type Macros } from './macros.ts'
import { ACCUMULATOR, type Expression, type Fold } from './expression.ts'

/** The parts of a loop that depend on the macro. */
type Loop = Pick<Fold, 'initial' | 'condition' | 'step' | 'result'>

/** Makes a loop from its variables and the other arguments of the macro. */
type MakeLoop = (variables: readonly Expression[], rest: readonly Expression[]) => Loop

function literal({ at }: Expression, value: boolean | bigint): Expression {
  return { kind: 'literal', value, at }
}

function accumulator({ at }: Expression): Expression {
  return { kind: 'identifier', name: ACCUMULATOR, at }
}

function quantifier(isAll: boolean): MakeLoop {
  return (_variables, [predicate = FALSE]) => {
    const current = accumulator(predicate)
    return {
      initial: literal(predicate, isAll),
      condition: callOf(
        predicate,
        '@not_strictly_false',
        isAll ? current : callOf(predicate, '!_', current),
      ),
      step: callOf(predicate, isAll ? '_&&_' : '_||_', current, predicate),
      result: current,
    }
  }
}

const FALSE: Expression = { kind: 'literal', value: false, at: 0 }

const exactlyOne: MakeLoop = (_variables, [predicate = FALSE]) => {
  const current = accumulator(predicate)
  const one = literal(predicate, 1n)
  return {
    initial: literal(predicate, 0n),
    condition: literal(predicate, true),
    step: callOf(predicate, '_?_:_', predicate, callOf(predicate, '_+_', current, one), current),
    result: callOf(predicate, '_==_', current, one),
  }
}

/** Collects a value of each item, or of those that meet a condition. */
function collected(
  { value, filter }: { readonly value: Expression; readonly filter: Expression | null },
  add: (current: Expression) => Expression,
  initial: Expression,
): Loop {
  const current = accumulator(value)
  const step = add(current)
  return {
    initial,
    condition: literal(value, true),
    step: filter === null ? step : callOf(value, '_?_:_', filter, step, current),
    result: current,
  }
}

function collectedList(value: Expression, filter: Expression | null): Loop {
  const { at } = value
  const item: Expression = { kind: 'list', items: [{ value, isOptional: false }], at }
  const add = (current: Expression) => callOf(value, '_+_', current, item)
  return collected({ value, filter }, add, { kind: 'list', items: [], at })
}

/** The arguments are `value` or `filter, value`. */
function valueAndFilter(rest: readonly Expression[]): [Expression, Expression | null] {
  return [rest.at(-1) ?? FALSE, rest.length > 1 ? (rest[0] ?? FALSE) : null]
}

const mapped: MakeLoop = (_variables, rest) => collectedList(...valueAndFilter(rest))

const filtered: MakeLoop = ([variable = FALSE], [predicate = FALSE]) =>
  collectedList(variable, predicate)

/** Inserts each value under the first variable, or each entry of a map. */
function mapOfEach(isEntry: boolean): MakeLoop {
  return ([key = FALSE], rest) => {
    const [value, filter] = valueAndFilter(rest)
    const keys = isEntry ? [] : [key]
    const add = (current: Expression) => callOf(value, 'cel.@mapInsert', current, ...keys, value)
    return collected({ value, filter }, add, { kind: 'map', entries: [], at: value.at })
  }
}

function loop(variableCount: 1 | 2, make: MakeLoop): Macro {
  return ({ target, args, at }) => {
    if (target === null) return null
    const variables = args.slice(0, variableCount)
    const names: string[] = []
    for (const variable of variables) {
      if (variable.kind !== 'identifier' || variable.name.startsWith('.')) {
        return { problem: 'argument must be a simple name', at: variable.at }
      }
      if (names.includes(variable.name)) {
        return { problem: `duplicate variable name: ${variable.name}`, at: variable.at }
      }
      names.push(variable.name)
    }
    const [variable = '', second = null] = names
    const parts = make(variables, args.slice(variableCount))
    const node: Fold = {
      kind: 'fold',
      range: target,
      variable,
      second,
      accumulator: ACCUMULATOR,
      ...parts,
      at,
    }
    return { node }
  }
}

const has: Macro = ({ args }) => {
  const [argument = FALSE] = args
  return argument.kind === 'select' && !argument.isTest
    ? { node: { ...argument, isTest: true } }
    : { problem: 'invalid argument to has() macro', at: argument.at }
}

const OPTIONAL_TARGET = '@target'

/** The target is bound to a variable, because it is evaluated only once. */
function mappedOptional(isFlat: boolean): Macro {
  return ({ target, args: [variable = FALSE, body = FALSE] }) => {
    if (target === null) return null
    if (variable.kind !== 'identifier') {
      return { problem: 'variable name must be a simple identifier', at: variable.at }
    }
    const optional: Expression = { kind: 'identifier', name: OPTIONAL_TARGET, at: target.at }
    const method = (name: string): Expression => ({
      kind: 'call',
      name,
      target: optional,
      args: [],
      at: target.at,
    })
    const result = bindingOf(variable.name, method('value'), body)
    const present = isFlat ? result : callOf(body, 'optional.of', result)
    const absent = callOf(body, 'optional.none')
    const node = callOf(body, '_?_:_', method('hasValue'), present, absent)
    return { node: bindingOf(OPTIONAL_TARGET, target, node) }
  }
}

const method = (name: string, count: number, macro: Macro): [string, Macro] => [
  macroKey(name, true, count),
  macro,
]

/** The macros of Kubernetes: loops with one or two variables, and those of optional values. */
export const STANDARD_MACROS: Macros = new Map([
  [macroKey('has', false, 1), has],
  method('all', 2, loop(1, quantifier(true))),
  method('exists', 2, loop(1, quantifier(false))),
  method('exists_one', 2, loop(1, exactlyOne)),
  method('existsOne', 2, loop(1, exactlyOne)),
  method('map', 2, loop(1, mapped)),
  method('map', 3, loop(1, mapped)),
  method('filter', 2, loop(1, filtered)),
  method('all', 3, loop(2, quantifier(true))),
  method('exists', 3, loop(2, quantifier(false))),
  method('exists_one', 3, loop(2, exactlyOne)),
  method('existsOne', 3, loop(2, exactlyOne)),
  method('transformList', 3, loop(2, mapped)),
  method('transformList', 4, loop(2, mapped)),
  method('transformMap', 3, loop(2, mapOfEach(false))),
  method('transformMap', 4, loop(2, mapOfEach(false))),
  method('transformMapEntry', 3, loop(2, mapOfEach(true))),
  method('transformMapEntry', 4, loop(2, mapOfEach(true))),
  method('optMap', 2, mappedOptional(false)),
  method('optFlatMap', 2, mappedOptional(true)),
])
