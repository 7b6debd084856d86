import { type JsonObject, objectOf, objectsOf } from 'flotilla'
import { ClaimProblem } from './claim-problem.ts'
import type { ClaimedVariable } from './sandbox-claim.ts'
import type { SandboxTemplate } from './sandbox-template.ts'

/**
 * The blueprint of a template with the environment variables of a claim. Throws ClaimProblem if the
 * template does not permit them.
 */
export function injectEnv(
  { blueprint, envPolicy }: Pick<SandboxTemplate, 'blueprint' | 'envPolicy'>,
  env: readonly ClaimedVariable[],
): JsonObject {
  if (env.length === 0) return blueprint
  if (envPolicy === 'Disallowed') {
    throw rejected('the template does not allow environment variables of claims')
  }
  const podTemplate = objectOf(blueprint['podTemplate'])
  const podSpec = objectOf(podTemplate['spec'])
  const containers = objectsOf(podSpec['containers'])
  for (const { name, containerName } of env) {
    const isKnown =
      containerName === '' || containers.some((each) => each['name'] === containerName)
    if (!isKnown) {
      throw rejected(`the container "${containerName}" of the variable "${name}" does not exist`)
    }
  }
  const injected = containers.map((container, index) => {
    const isFor = ({ containerName }: ClaimedVariable): boolean =>
      containerName === container['name'] || (containerName === '' && index === 0)
    return withVariables(container, env.filter(isFor), envPolicy === 'Overrides')
  })
  return {
    ...blueprint,
    podTemplate: { ...podTemplate, spec: { ...podSpec, containers: injected } },
  }
}

function withVariables(
  container: JsonObject,
  variables: readonly ClaimedVariable[],
  overrides: boolean,
): JsonObject {
  if (variables.length === 0) return container
  if (!overrides && objectsOf(container['envFrom']).length > 0) {
    throw rejected('the container has envFrom, whose variables could be replaced')
  }
  const env = new Map(objectsOf(container['env']).map((each) => [each['name'], each]))
  for (const { name, value } of variables) {
    if (env.has(name) && !overrides) {
      throw rejected(`the template does not allow to replace the variable "${name}"`)
    }
    env.set(name, { name, value })
  }
  return { ...container, env: [...env.values()] }
}

function rejected(message: string): ClaimProblem {
  return new ClaimProblem('EnvVarsInjectionRejected', message)
}
