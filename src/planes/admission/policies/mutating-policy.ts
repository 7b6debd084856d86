import type { PlaneConfiguration } from '../../../store/objects/model/plane-configuration.ts'
import { isJsonObject } from '../../../lib/json/json.ts'
import { objectOf, objectsOf, textOf } from '../../../lib/json/json-fields.ts'
import { mutationLanguage } from '../expressions/mutation-language.ts'
import {
  type BoundObject,
  boundObjects,
  type BoundPolicy,
  compileLazily,
  type LazyProgram,
  parseBoundPolicy,
} from './policy.ts'

const POLICIES = 'mutatingadmissionpolicies.admissionregistration.k8s.io'
const BINDINGS = 'mutatingadmissionpolicybindings.admissionregistration.k8s.io'

const KEY = Symbol('mutating admission policies')

/** A change of a policy. */
export interface Mutation {
  readonly kind: 'apply' | 'json'
  readonly program: LazyProgram
}

/** A MutatingAdmissionPolicy with its bindings. */
export interface MutatingPolicy extends BoundPolicy {
  readonly mutations: readonly Mutation[]
  /** Whether later changes of the object run the policy again. */
  readonly isReinvoked: boolean
}

/** The mutating policies of a plane that have bindings, by name. */
export function mutatingPoliciesOf(configuration: PlaneConfiguration): readonly MutatingPolicy[] {
  return configuration.derive(KEY, [POLICIES, BINDINGS], (current) =>
    boundObjects(current.objects(POLICIES), current.objects(BINDINGS)).map(parsePolicy),
  )
}

function parsePolicy(object: BoundObject): MutatingPolicy {
  const spec = objectOf(object[0].body['spec'])
  const language = mutationLanguage(isJsonObject(spec['paramKind']))
  return {
    ...parseBoundPolicy(object),
    isReinvoked: spec['reinvocationPolicy'] === 'IfNeeded',
    mutations: objectsOf(spec['mutations']).map((mutation) => {
      const isPatch = mutation['patchType'] === 'JSONPatch'
      const member = objectOf(mutation[isPatch ? 'jsonPatch' : 'applyConfiguration'])
      const type = isPatch ? PATCH_RESULT : CONFIGURATION_RESULT
      return {
        kind: isPatch ? 'json' : 'apply',
        program: compileLazily(language, textOf(member['expression']), [type]),
      }
    }),
  }
}

/** The types of the results of mutations. */
export const CONFIGURATION_RESULT = 'Object'
export const PATCH_RESULT = 'list(JSONPatch)'
