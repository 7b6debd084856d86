import { checkExpression, type CheckedExpression } from './check/check-expression.ts'
import type { StructOf } from './check/scope.ts'
import { CelSyntaxError } from './cel-error.ts'
import { CONVERSIONS, TYPE_NAMES } from './functions/conversions.ts'
import { type Declarations, type Functions, functionsOf } from './functions/function.ts'
import { LISTS } from './functions/lists.ts'
import { ARITHMETIC, INDEXES, RELATIONS } from './functions/operators.ts'
import { OPTIONALS } from './functions/optionals.ts'
import { MATCHES } from './functions/patterns.ts'
import { SETS } from './functions/sets.ts'
import { STRINGS } from './functions/strings.ts'
import { TIME_PARTS } from './functions/time-parts.ts'
import { createSlice, type Meter } from './run/meter.ts'
import { planExpression, run } from './run/plan-expression.ts'
import type { Macros } from './syntax/macros.ts'
import { parseExpression } from './syntax/parse-expression.ts'
import { STANDARD_MACROS } from './syntax/standard-macros.ts'
import { parseType } from './types/parse-type.ts'
import type { Type } from './types/type.ts'
import type { Spend } from './values/compare-values.ts'
import type { CelValue } from './values/value.ts'

/** The operators and functions of CEL's standard. */
export const STANDARD: Declarations = [
  ...ARITHMETIC,
  ...RELATIONS,
  ...INDEXES,
  ...CONVERSIONS,
  ...OPTIONALS,
  ...MATCHES,
  ...STRINGS,
  ...TIME_PARTS,
  ['_&&_(bool, bool): bool', () => false],
  ['_||_(bool, bool): bool', () => false],
  ['_?_:_(bool, A, A): A', () => null],
  ['@not_strictly_false(bool): bool', () => true],
]

/** The extensions of lists and sets. */
export const COLLECTIONS: Declarations = [...LISTS, ...SETS]

/** The names and macros of expressions, and their limits. */
export interface Language {
  readonly functions: Functions
  readonly macros: Macros
  readonly variables: ReadonlyMap<string, Type>
  /** Names of types, such as `int` in `type(x) == int`. */
  readonly types: ReadonlyMap<string, Type>
  readonly structOf: StructOf
  readonly isHomogeneous: boolean
  readonly maxNodes: number
}

/** A compiled expression. */
export interface CelProgram {
  readonly checked: CheckedExpression
  /** The names of the variables in use. */
  readonly variables: ReadonlySet<string>
  /** Throws a CelError, or what `spend` throws if no steps are left. */
  readonly evaluate: (variables: Readonly<Record<string, CelValue>>, spend: Spend) => CelValue
  /** Returns a function that evaluates until it throws a Pause, and then continues if called. */
  readonly start: (variables: Readonly<Record<string, CelValue>>, meter: Meter) => () => CelValue
}

const MAX_DEPTH = 100
/** For evaluations whose step limit is low. */
const ENDLESS = createSlice(Infinity)

/** Creates a language; variables are names with types such as `list<dyn>`. */
export function createLanguage(options: {
  readonly functions: Declarations
  readonly variables: Readonly<Record<string, Type | string>>
  readonly macros?: Macros
  readonly isHomogeneous?: boolean
  readonly maxNodes?: number
}): Language {
  const { variables, macros = STANDARD_MACROS } = options
  const { isHomogeneous = false, maxNodes = 4000 } = options
  const functions = functionsOf(options.functions)
  return {
    functions,
    types: new Map([...TYPE_NAMES, ...typesOfResults(functions)]),
    macros,
    variables: new Map(
      Object.entries(variables).map(([name, type]) => [
        name,
        typeof type === 'string' ? parseType(type) : type,
      ]),
    ),
    structOf: () => null,
    isHomogeneous,
    maxNodes,
  }
}

/** The types of libraries have names because functions return them. */
function typesOfResults(functions: Functions): readonly (readonly [string, Type])[] {
  return [...functions.values()]
    .flat()
    .filter(({ result }) => result.kind === 'opaque')
    .map(({ result }) => [result.name, result])
}

/** The language with other types of variables. */
export function withVariables(
  language: Language,
  variables: Readonly<Record<string, Type>>,
): Language {
  return { ...language, variables: new Map([...language.variables, ...Object.entries(variables)]) }
}

/** Parses an expression and finds its types. Throws a CelSyntaxError with all errors. */
export function checkText(language: Language, text: string): CheckedExpression {
  const { macros, maxNodes } = language
  const root = parseExpression(text, { macros, maxDepth: MAX_DEPTH, maxNodes })
  const checked = checkExpression(root, text, language)
  if (checked.errors.length > 0) throw new CelSyntaxError(checked.errors.join('\n'))
  return checked
}

/** Compiles an expression. Throws a CelSyntaxError with all errors. */
export function compileText(language: Language, text: string): CelProgram {
  const checked = checkText(language, text)
  const { evaluate, size, loops } = planExpression(checked, language.functions, language.types)
  const start: CelProgram['start'] = (variables, { spend, slice }) => {
    const locals = Array.from({ length: size }, () => null)
    const frame = {
      variables,
      spend,
      slice,
      locals,
      loops: Array.from({ length: loops }, () => undefined),
      pausedLoop: null,
    }
    return () => run(evaluate, frame)
  }
  return {
    checked,
    variables: new Set(checked.names.values()),
    evaluate: (variables, spend) => start(variables, { spend, slice: ENDLESS })(),
    start,
  }
}
