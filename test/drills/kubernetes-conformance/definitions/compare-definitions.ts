import type { Passed } from '../../../../src/tools/planes-differences/suite-results.ts'
import type { Definition } from '../../kubernetes-clients/definitions/read-definitions.ts'
import { servedPaths } from '../../kubernetes-clients/definitions/store-definitions.ts'
import type { Comparison } from '../results.ts'

/** The errors of the definitions that a server does not accept, by name. */
export type Rejections = ReadonlyMap<string, string>

interface Outcomes {
  readonly planes: Rejections
  readonly kubernetes: Rejections
  readonly projects: number
}

/** Compares which definitions planes and Kubernetes accept, with their served versions and CEL rules. */
export function compareDefinitions(
  definitions: readonly Definition[],
  { planes, kubernetes, projects }: Outcomes,
): Comparison {
  const applicable = acceptedOf(definitions, kubernetes)
  const passing = acceptedOf(applicable, planes)
  const count = (size: (definition: Definition) => number): Passed => {
    const sum = (list: readonly Definition[]) => list.reduce((total, one) => total + size(one), 0)
    return { applicable: sum(applicable), planes: sum(passing), kubernetes: sum(applicable) }
  }
  const rejectedBy = (
    server: string,
    others: Rejections,
    [name, error]: readonly [string, string],
  ) => (others.has(name) ? [] : [`${server} rejects ${name}: ${error}`])
  return {
    passed: {
      [`definitions of ${projects} projects`]: count(() => 1),
      'their served versions': count((definition) => servedPaths(definition).length),
      'their CEL rules': count(({ spec }) => countRules(spec)),
    },
    others: {},
    errors: [
      ...[...planes].flatMap((entry) => rejectedBy('the plane', kubernetes, entry)),
      ...[...kubernetes].flatMap((entry) => rejectedBy('kube-apiserver', planes, entry)),
    ],
  }
}

function acceptedOf(
  definitions: readonly Definition[],
  rejected: Rejections,
): readonly Definition[] {
  return definitions.filter(({ metadata }) => !rejected.has(metadata.name))
}

/** The number of CEL rules in a part of a definition. */
function countRules(part: unknown): number {
  if (typeof part !== 'object' || part === null) return 0
  return Object.entries(part).reduce(
    (total, [name, value]) =>
      total +
      (name === 'x-kubernetes-validations' && Array.isArray(value)
        ? value.length
        : countRules(value)),
    0,
  )
}
