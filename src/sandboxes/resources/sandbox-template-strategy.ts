import { objectOf } from 'flotilla'
import type { Strategy } from 'flotilla/planes'
import { blueprintErrors } from './blueprint-errors.ts'
import { changedBlueprintWarnings, type SandboxProblems } from './sandbox-strategy.ts'
import { unlessUnchanged } from './unless-unchanged.ts'

/** The rules of templates of sandboxes: those of the workload. */
export function sandboxTemplateStrategy({
  apiProblem,
}: Pick<SandboxProblems, 'apiProblem'>): Strategy {
  return {
    validate: unlessUnchanged(({ spec }) => blueprintErrors(objectOf(spec), apiProblem)),
    warnings: changedBlueprintWarnings,
  }
}
