import { isJsonObject, type JsonObject } from 'flotilla'
import { ClaimProblem } from './claim-problem.ts'
import type { SandboxTemplate } from './sandbox-template.ts'

/**
 * The blueprint of a template with the volumes of a claim. Throws ClaimProblem if the template does
 * not permit them.
 */
export function addVolumes(
  { blueprint, volumePolicy }: Pick<SandboxTemplate, 'blueprint' | 'volumePolicy'>,
  added: readonly JsonObject[],
): JsonObject {
  if (added.length === 0) return blueprint
  if (volumePolicy === 'Disallowed') throw rejected('the template does not allow volumes of claims')
  const { volumeClaimTemplates } = blueprint
  const own = Array.isArray(volumeClaimTemplates) ? volumeClaimTemplates.filter(isJsonObject) : []
  const merged = new Map(own.map((template) => [nameOf(template), template]))
  for (const template of added) {
    const name = nameOf(template)
    if (merged.has(name) && volumePolicy !== 'Overrides') {
      throw rejected(`the template does not allow to replace the volume "${name}"`)
    }
    merged.set(name, template)
  }
  return { ...blueprint, volumeClaimTemplates: [...merged.values()] }
}

function nameOf({ metadata }: JsonObject): string {
  const name = isJsonObject(metadata) ? metadata['name'] : undefined
  return typeof name === 'string' ? name : ''
}

function rejected(message: string): ClaimProblem {
  return new ClaimProblem('VolumeClaimTemplatesError', message)
}
