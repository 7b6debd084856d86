import type { Strategy } from '../../kube/model/native-resource.ts'
import { objectOf } from '../model/stored-fields.ts'
import { referenceErrors } from './reference-errors.ts'
import { startWarnings } from './start-warnings.ts'
import { unlessUnchanged } from './unless-unchanged.ts'

/** The rules of pools: the name of the template. */
export function sandboxWarmPoolStrategy(startProblem: string | null): Strategy {
  return withReference('sandboxTemplateRef', startProblem)
}

/** The rules of claims of sandboxes: the name of the pool. */
export function sandboxClaimStrategy(startProblem: string | null): Strategy {
  return withReference('warmPoolRef', startProblem)
}

function withReference(name: string, startProblem: string | null): Strategy {
  return {
    warnings: (_object, old) => startWarnings(old, startProblem),
    validate: unlessUnchanged(({ spec }) => {
      const reference = objectOf(objectOf(spec)[name])
      return referenceErrors(`spec.${name}.name`, reference['name'])
    }),
  }
}
