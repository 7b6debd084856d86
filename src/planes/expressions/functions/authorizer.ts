import type { Environment } from '@marcbachmann/cel-js'

/** A question of an expression to the authorizer. */
export interface AccessQuery {
  /** Null for the user of the request. */
  readonly serviceAccount: { readonly namespace: string; readonly name: string } | null
  readonly verb: string
  /** A path such as `/healthz`; null for resources. */
  readonly path: string | null
  readonly group: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
}

/** The answer to a question. */
export interface AccessAnswer {
  readonly allowed: boolean
  readonly reason: string
}

/** Answers a question, or throws if the answer is not known yet. */
export type AnswerQuery = (query: AccessQuery) => AccessAnswer

type Question = Omit<AccessQuery, 'verb'>

const NO_RESOURCE: Question = {
  serviceAccount: null,
  path: null,
  group: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
}

/** A step of a question, such as `authorizer.group("").resource("secrets")`. */
class AccessCheck {
  readonly answer: AnswerQuery
  readonly question: Question

  constructor(answer: AnswerQuery, question: Question) {
    this.answer = answer
    this.question = question
  }
}

class PathCheck extends AccessCheck {}
class GroupCheck extends AccessCheck {}
class ResourceCheck extends AccessCheck {}

class Decision {
  readonly answer: AccessAnswer

  constructor(answer: AccessAnswer) {
    this.answer = answer
  }
}

/** The variable `authorizer`. */
class CelAuthorizer extends AccessCheck {
  readonly requestResource: ResourceCheck

  constructor(answer: AnswerQuery, question: Question, requested: Question) {
    super(answer, question)
    this.requestResource = new ResourceCheck(answer, requested)
  }
}

/** The value of the variable `authorizer`. `requested` is the resource of the request. */
export function celAuthorizer(
  answer: AnswerQuery,
  requested: Pick<Question, 'group' | 'resource' | 'subresource' | 'namespace' | 'name'>,
): object {
  return new CelAuthorizer(answer, NO_RESOURCE, { ...NO_RESOURCE, ...requested })
}

function refined<Check extends AccessCheck>(
  create: new (answer: AnswerQuery, question: Question) => Check,
  member: keyof Question,
) {
  return ({ answer, question }: AccessCheck, value: string): Check =>
    new create(answer, { ...question, [member]: value })
}

function check({ answer, question }: AccessCheck, verb: string): Decision {
  return new Decision(answer({ ...question, verb }))
}

/** Registers the variable `authorizer`, its types and their functions. */
export function registerAuthorizer(environment: Environment): void {
  environment
    .registerType('AuthorizerDecision', Decision)
    .registerType('AuthorizerPath', PathCheck)
    .registerType('AuthorizerGroup', GroupCheck)
    .registerType('AuthorizerResource', ResourceCheck)
    .registerType('Authorizer', {
      ctor: CelAuthorizer,
      fields: { requestResource: 'AuthorizerResource' },
    })
    .registerVariable('authorizer', 'Authorizer')
    .registerFunction('Authorizer.path(string): AuthorizerPath', refined(PathCheck, 'path'))
    .registerFunction('Authorizer.group(string): AuthorizerGroup', refined(GroupCheck, 'group'))
    .registerFunction(
      'Authorizer.serviceAccount(string, string): Authorizer',
      ({ answer, question, requestResource }: CelAuthorizer, namespace: string, name: string) => {
        const serviceAccount = { namespace, name }
        const requested = { ...requestResource.question, serviceAccount }
        return new CelAuthorizer(answer, { ...question, serviceAccount }, requested)
      },
    )
    .registerFunction(
      'AuthorizerGroup.resource(string): AuthorizerResource',
      refined(ResourceCheck, 'resource'),
    )
    .registerFunction('AuthorizerPath.check(string): AuthorizerDecision', check)
    .registerFunction('AuthorizerResource.check(string): AuthorizerDecision', check)
    .registerFunction(
      'AuthorizerDecision.allowed(): bool',
      ({ answer }: Decision) => answer.allowed,
    )
    .registerFunction(
      'AuthorizerDecision.reason(): string',
      ({ answer }: Decision) => answer.reason,
    )
    .registerFunction('AuthorizerDecision.errored(): bool', () => false)
    .registerFunction('AuthorizerDecision.error(): string', () => '')
  for (const member of ['subresource', 'namespace', 'name'] as const) {
    environment.registerFunction(
      `AuthorizerResource.${member}(string): AuthorizerResource`,
      refined(ResourceCheck, member),
    )
  }
}
