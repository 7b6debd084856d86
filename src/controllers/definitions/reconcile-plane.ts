import type { ApiObject } from '../../apis/kube/model/api-object.ts'
import { isConflict, isObjectNotFound } from '../client/api-failures.ts'
import type { PlaneClient } from '../client/plane-client.ts'
import { compareText } from '../../lib/compare-text.ts'
import { decideDefinitionStatus } from './decide-definition-status.ts'
import { isTrue } from './definition-state.ts'
import { DEFINITIONS, finishDefinition } from './finish-definition.ts'

/** The work that remains in a plane. */
interface PlaneResult {
  /** Whether instances of deleted definitions remain. */
  readonly hasInstances: boolean
  /** Whether definitions wait for names that others use. */
  readonly hasConflicts: boolean
}

/** Decides the status of the definitions of a plane, and finishes deleted ones. */
export async function reconcilePlane(client: PlaneClient, now: () => Date): Promise<PlaneResult> {
  const definitions = await readDefinitions(client)
  let hasInstances = false
  let hasConflicts = false
  for (const [index, definition] of definitions.entries()) {
    try {
      if (definition.metadata.deletionTimestamp !== undefined) {
        const result = await finishDefinition(client, definition, now())
        hasInstances ||= result === 'remaining'
        continue
      }
      const status = decideDefinitionStatus(definition, definitions, now())
      if (status === null) hasConflicts ||= !isTrue(definition, 'NamesAccepted')
      else {
        const next = { ...definition, status }
        definitions[index] = await client.updateSubresource(DEFINITIONS, 'status', next)
        hasConflicts ||= !isTrue(definitions[index], 'NamesAccepted')
      }
    } catch (error) {
      // The change of the other writer causes another attempt.
      if (!isConflict(error) && !isObjectNotFound(error, definition.metadata.name ?? ''))
        throw error
    }
  }
  return { hasInstances, hasConflicts }
}

/** The oldest definition gets a name that several ask for. */
async function readDefinitions(client: PlaneClient): Promise<ApiObject[]> {
  const definitions: ApiObject[] = []
  for await (const page of client.pages(DEFINITIONS)) definitions.push(...page.items)
  return definitions.toSorted((one, other) => {
    const { creationTimestamp: first = '', name = '' } = one.metadata
    const { creationTimestamp: second = '', name: otherName = '' } = other.metadata
    return compareText(first, second) || compareText(name, otherName)
  })
}
