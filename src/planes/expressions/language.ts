import { Environment } from '@marcbachmann/cel-js'
import { spendLoop, spendSearch, spendTraversal } from './evaluation-budget.ts'
import { registerAddresses } from './functions/addresses.ts'
import { registerLists } from './functions/lists.ts'
import { registerPatterns } from './functions/patterns.ts'
import { registerQuantities } from './functions/quantities.ts'
import { registerSemanticVersions } from './functions/semantic-versions.ts'
import { registerSets } from './functions/sets.ts'
import { registerStrings } from './functions/strings.ts'
import { registerUrls } from './functions/urls.ts'
import { HAS_FIELD, SPEND_LOOP, SPEND_SEARCH, SPEND_TRAVERSAL } from './rewrite-expression.ts'

/** CEL with Kubernetes' libraries and a set of variables. */
export interface Language {
  /** For authors' texts. */
  readonly source: Environment
  /** For rewritten texts, which are longer. */
  readonly metered: Environment
}

const TYPES = ['bool', 'int', 'double', 'string', 'bytes', 'list', 'map', 'null'] as const

const BASE = createBase()

function createBase(): Environment {
  const environment = new Environment({
    enableOptionalTypes: true,
    homogeneousAggregateLiterals: false,
    limits: { maxAstNodes: 2000, maxDepth: 60 },
  })
  registerMixedEquality(environment)
  environment.registerFunction(`${HAS_FIELD}(dyn, string): bool`, hasField)
  registerLists(environment)
  registerStrings(environment)
  registerPatterns(environment)
  registerQuantities(environment)
  registerSemanticVersions(environment)
  registerSets(environment)
  registerUrls(environment)
  registerAddresses(environment)
  return environment
}

function hasField(value: unknown, name: string): boolean {
  if (value instanceof Map) return value.has(name)
  throw new Error(`has() of a value without fields: ${name}`)
}

/** Values of different types are unequal, as in CEL. The engine would fail. */
function registerMixedEquality(environment: Environment): void {
  for (const [index, one] of TYPES.entries()) {
    for (const other of TYPES.slice(index + 1)) {
      const isNumeric = [one, other].every((type) => type === 'int' || type === 'double')
      if (isNumeric) continue
      environment.registerOperator(`dyn<${one}> == ${other}`, () => false)
    }
  }
}

/** Variables by name with their CEL types, such as `dyn`. */
export function createLanguage(
  variables: Readonly<Record<string, string>>,
  extend?: (environment: Environment) => void,
): Language {
  const source = BASE.clone()
  for (const [name, type] of Object.entries(variables)) source.registerVariable(name, type)
  extend?.(source)
  const metered = source.clone({ limits: { maxAstNodes: 10_000, maxDepth: 200 } })
  metered.registerFunction(`${SPEND_LOOP}(dyn, int): dyn`, (value: unknown, weight: bigint) => {
    return spendLoop(value, Number(weight))
  })
  metered.registerFunction(`${SPEND_TRAVERSAL}(dyn): dyn`, spendTraversal)
  metered.registerFunction(`${SPEND_SEARCH}(dyn): dyn`, spendSearch)
  return { source, metered }
}
