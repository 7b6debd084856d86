import type { CelObject } from '../../../lib/cel/values/value.ts'
import {
  type AccessAnswer,
  type AccessQuery,
  type AnswerQuery,
  celAuthorizer,
} from '../../expressions/functions/authorizer.ts'
import type { AccessAttributes, PlaneAuthorizer } from '../../model/access.ts'
import type { AdmissionRequest } from '../../model/admission.ts'

/** The most different questions that the expressions of one evaluation may ask. */
const MAX_QUESTIONS = 32

/**
 * Runs an evaluation that may ask the authorizer. An unknown answer fails the evaluation,
 * which is repeated with the answer. The result of the last evaluation counts.
 */
export async function evaluateWithAuthorizer<Result>(
  authorizer: PlaneAuthorizer,
  request: AdmissionRequest,
  evaluate: (authorizer: CelObject) => Promise<Result>,
): Promise<Result> {
  const answers = new Map<string, AccessAnswer>()
  const unknown = new Map<string, AccessQuery>()
  const answer: AnswerQuery = (query) => {
    const key = JSON.stringify(query)
    const known = answers.get(key)
    if (known) return known
    const isNew = !unknown.has(key)
    if (isNew && answers.size + unknown.size >= MAX_QUESTIONS)
      throw new Error('too many different authorizer checks')
    unknown.set(key, query)
    throw new Error('the decision of the authorizer is not known yet')
  }
  const { type, subresource, namespace, name } = request
  const requested = { group: type.group, resource: type.plural, subresource, namespace, name }
  const value = celAuthorizer(answer, requested)
  for (;;) {
    unknown.clear()
    const outcome = await attempt(() => evaluate(value))
    if (unknown.size === 0) {
      if ('error' in outcome) throw outcome.error
      return outcome.result
    }
    for (const [key, query] of unknown) {
      answers.set(key, await authorizer.authorize(attributesOf(query, request)))
    }
  }
}

async function attempt<Result>(
  run: () => Promise<Result>,
): Promise<{ readonly result: Result } | { readonly error: unknown }> {
  try {
    return { result: await run() }
  } catch (error) {
    return { error }
  }
}

function attributesOf(
  query: AccessQuery,
  { plane, user, version }: AdmissionRequest,
): AccessAttributes {
  const { serviceAccount, verb, path, group, resource, subresource, namespace, name } = query
  return {
    plane,
    user: serviceAccount === null ? user : serviceAccountUser(serviceAccount),
    verb,
    resource:
      path === null ? { group, version, plural: resource, subresource, namespace, name } : null,
    path: path ?? '',
  }
}

function serviceAccountUser({ namespace, name }: NonNullable<AccessQuery['serviceAccount']>) {
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    uid: '',
    groups: [
      'system:serviceaccounts',
      `system:serviceaccounts:${namespace}`,
      'system:authenticated',
    ],
    extra: {},
  }
}
