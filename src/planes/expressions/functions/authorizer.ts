import { objectAt, textAt } from '../../../lib/cel/functions/arguments.ts'
import type { Declarations, Run } from '../../../lib/cel/functions/function.ts'
import { opaque, type Type } from '../../../lib/cel/types/type.ts'
import { CelObject, type CelValue } from '../../../lib/cel/values/value.ts'

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

const NAMESPACE = 'kubernetes.authorization'
const RESOURCE = `${NAMESPACE}.ResourceCheck`
const AUTHORIZER = `${NAMESPACE}.Authorizer`
const GROUP = `${NAMESPACE}.GroupCheck`
const PATH = `${NAMESPACE}.PathCheck`
const DECISION = `${NAMESPACE}.Decision`

/** The type of the variable `authorizer`. */
export const AUTHORIZER_TYPE: Type = {
  ...opaque(AUTHORIZER),
  fields: new Map([['requestResource', opaque(RESOURCE)]]),
}

/** A step of a question, such as `authorizer.group("").resource("secrets")`. */
class AccessCheck extends CelObject {
  readonly type: Type
  readonly answer: AnswerQuery
  readonly question: Question

  constructor(type: Type, answer: AnswerQuery, question: Question) {
    super()
    this.type = type
    this.answer = answer
    this.question = question
  }

  isSame(other: CelObject): boolean {
    return (
      other instanceof AccessCheck &&
      other.type.name === this.type.name &&
      JSON.stringify(other.question) === JSON.stringify(this.question)
    )
  }
}

class Decision extends CelObject {
  readonly type = opaque(DECISION)
  readonly answer: AccessAnswer

  constructor(answer: AccessAnswer) {
    super()
    this.answer = answer
  }

  isSame(other: CelObject): boolean {
    return other instanceof Decision && other.answer === this.answer
  }
}

/** The variable `authorizer`. */
class CelAuthorizer extends AccessCheck {
  readonly #requested: Question

  constructor(answer: AnswerQuery, question: Question, requested: Question) {
    super(AUTHORIZER_TYPE, answer, question)
    this.#requested = requested
  }

  override field(name: string): CelValue | undefined {
    if (name !== 'requestResource') return undefined
    return new AccessCheck(opaque(RESOURCE), this.answer, this.#requested)
  }

  /** Questions in the name of a service account. */
  as(serviceAccount: NonNullable<Question['serviceAccount']>): CelAuthorizer {
    const [question, requested] = [this.question, this.#requested].map((asked) => {
      return { ...asked, serviceAccount }
    })
    return new CelAuthorizer(this.answer, question ?? this.question, requested ?? this.#requested)
  }
}

/** The value of the variable `authorizer`. `requested` is the resource of the request. */
export function celAuthorizer(
  answer: AnswerQuery,
  requested: Pick<Question, 'group' | 'resource' | 'subresource' | 'namespace' | 'name'>,
): CelObject {
  return new CelAuthorizer(answer, NO_RESOURCE, { ...NO_RESOURCE, ...requested })
}

function refined(type: string, member: keyof Question): Run {
  const refinedType = opaque(type)
  return (args) => {
    const { answer, question } = objectAt(args, 0, AccessCheck)
    return new AccessCheck(refinedType, answer, { ...question, [member]: textAt(args, 1) })
  }
}

const check: Run = (args) => {
  const { answer, question } = objectAt(args, 0, AccessCheck)
  return new Decision(answer({ ...question, verb: textAt(args, 1) }))
}

const ofDecision =
  (read: (answer: AccessAnswer) => CelValue): Run =>
  (args) =>
    read(objectAt(args, 0, Decision).answer)

/** The methods of the variable `authorizer` and of the questions that it asks. */
export const AUTHORIZATION: Declarations = [
  [`${AUTHORIZER}#path(string): ${PATH}`, refined(PATH, 'path')],
  [`${AUTHORIZER}#group(string): ${GROUP}`, refined(GROUP, 'group')],
  [
    `${AUTHORIZER}#serviceAccount(string, string): ${AUTHORIZER}`,
    (args) =>
      objectAt(args, 0, CelAuthorizer).as({ namespace: textAt(args, 1), name: textAt(args, 2) }),
  ],
  [`${GROUP}#resource(string): ${RESOURCE}`, refined(RESOURCE, 'resource')],
  ...(['subresource', 'namespace', 'name'] as const).map((member): [string, Run] => [
    `${RESOURCE}#${member}(string): ${RESOURCE}`,
    refined(RESOURCE, member),
  ]),
  [`${PATH}#check(string): ${DECISION}`, check],
  [`${RESOURCE}#check(string): ${DECISION}`, check],
  [`${DECISION}#allowed(): bool`, ofDecision(({ allowed }) => allowed)],
  [`${DECISION}#reason(): string`, ofDecision(({ reason }) => reason)],
  [`${DECISION}#errored(): bool`, () => false],
  [`${DECISION}#error(): string`, () => ''],
]
