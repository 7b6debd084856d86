import { readContexts } from '../connection/read-contexts.ts'
import { BUILT_IN_KINDS } from '../targets/built-in-kinds.ts'
import type { Runtime } from '../session/runtime.ts'
import type { Session } from '../session/session.ts'
import { type Candidate, FILES } from './candidate.ts'
import { labelCandidates } from './label-candidates.ts'
import { nameCandidates } from './name-candidates.ts'
import type { Position } from './position.ts'
import { deadLetterCandidates, webhookCandidates } from './webhook-candidates.ts'

/** A value to complete. */
export interface ValueRequest {
  readonly position: Extract<Position, { readonly is: 'value' | 'argument' }>
  readonly session: () => Promise<Session>
  readonly current: string
  readonly runtime: Runtime
}

/** Completes an argument or the value of an option. */
type Source = (request: ValueRequest & { readonly word: string }) => Promise<readonly Candidate[]>

const FORMATS = ['wide', 'json', 'yaml', 'name', 'jsonpath=']
const SORT_FIELDS = ['name', 'created_time', 'updated_time', 'generation', 'created_by']

const SOURCES: Readonly<Record<string, Source>> = {
  kind: kinds,
  name: names,
  names,
  namesAndLabels: names,
  cluster: async ({ session, word }) => await clusters(await session(), word),
  fleet: async ({ session, word }) => await fleets(await session(), word),
  webhook: async ({ session }) => await webhookCandidates(await session()),
  webhooks: async ({ session }) => await webhookCandidates(await session()),
  deliveries: async ({ session, position }) =>
    await deadLetterCandidates(await session(), position.operands.arguments['webhook'] ?? ''),
  context: async ({ runtime }) => {
    const { contexts } = await readContexts(runtime.env)
    return Object.entries(contexts).map(([value, { server }]) => ({ value, description: server }))
  },
  output: async () => FORMATS.map((value) => ({ value })),
  sort: async () => SORT_FIELDS.map((value) => ({ value })),
  selector: async ({ session, position, word }) =>
    await labelCandidates(await session(), { kind: position.operands.arguments['kind'], word }),
  filename: async () => FILES,
  file: async () => FILES,
  caFile: async () => FILES,
}

/** Candidates for an argument or for the value of an option. */
export async function valueCandidates(request: ValueRequest): Promise<readonly Candidate[]> {
  const { position, current } = request
  const prefix = position.is === 'value' ? position.prefix : ''
  const word = current.slice(prefix.length)
  const declared = position.is === 'value' ? position.option : position.argument
  if (declared === null) return []
  const choices = declared.argChoices?.map((value) => ({ value })) ?? null
  const name = 'attributeName' in declared ? declared.attributeName() : camelCase(declared.name())
  const source = Object.hasOwn(SOURCES, name) ? SOURCES[name] : undefined
  const found = choices ?? (await source?.({ ...request, word })) ?? []
  return found.map((one) => ({ ...one, value: prefix + one.value }))
}

async function names({
  session,
  position,
  word,
}: ValueRequest & { readonly word: string }): Promise<readonly Candidate[]> {
  const kind = position.operands.arguments['kind']
  if (kind === undefined) return []
  return await nameCandidates(await session(), { kind, word, ...position.operands })
}

async function kinds({ session }: ValueRequest): Promise<readonly Candidate[]> {
  const served = await (await session()).kinds()
  const own = served.map(({ plural, kind }) => ({ value: plural, description: kind }))
  const short = BUILT_IN_KINDS.flatMap(({ aliases, kind }) =>
    aliases.map((value) => ({ value, description: kind })),
  )
  return [...own, ...short]
}

async function clusters(session: Session, word: string): Promise<readonly Candidate[]> {
  return await nameCandidates(session, { kind: 'clusters', word, options: {} })
}

async function fleets(session: Session, word: string): Promise<readonly Candidate[]> {
  return await nameCandidates(session, { kind: 'fleets', word, options: {} })
}

function camelCase(name: string): string {
  return name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
