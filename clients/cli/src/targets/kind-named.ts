import { must } from '../errors/must.ts'
import type { Session } from '../session/session.ts'
import { BUILT_IN_KINDS } from './built-in-kinds.ts'
import type { KindTarget } from './kind-target.ts'
import { targetOf } from './resolve-target.ts'

/** The kind of a resource, such as that of a parent. */
export async function kindNamed(session: Session, kind: string): Promise<KindTarget> {
  const builtIn = BUILT_IN_KINDS.find((one) => one.kind === kind)
  if (builtIn !== undefined) return builtIn
  const found = (await session.kinds()).find((one) => one.kind === kind)
  return targetOf(must(found, `the server serves the kind ${kind}`))
}
