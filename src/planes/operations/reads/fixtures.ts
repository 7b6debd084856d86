import { systemClock } from '../../../lib/clock.ts'
import type { ResourceStore } from '../../model/resource-store.ts'
import type { OperationsContext } from '../context.ts'
import { createContinueTokens } from './continue-token.ts'

interface OrderedStore {
  /** The calls to the store, and the begin and end of each wait. */
  readonly calls: readonly string[]
  readonly context: OperationsContext
  readonly wait: <T>(until: () => Promise<T>) => Promise<T>
}

/** An empty store at revision 5 that reaches each revision that it is asked for. */
export function storeInOrder(): OrderedStore {
  const calls: string[] = []
  let revision = 5n
  const store: Pick<ResourceStore, 'follow' | 'list'> = {
    list: () => {
      calls.push('list')
      return Promise.resolve({ objects: [], revision, remaining: 0, hasMore: false })
    },
    follow: (_scope, after) => {
      calls.push(`follow ${after}`)
      revision = after
      return Promise.resolve({ revision, [Symbol.dispose]: () => undefined })
    },
  }
  const context: OperationsContext = {
    clock: systemClock,
    natives: new Map(),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a list only lists and follows
    storeOf: () => store as ResourceStore,
    admission: [],
    convert: (objects) => Promise.resolve(objects),
    continueTokens: createContinueTokens({
      key: Buffer.alloc(32),
      clock: systemClock,
      lifetimeSeconds: 60,
    }),
  }
  const wait = async <T>(until: () => Promise<T>): Promise<T> => {
    calls.push('rest')
    const value = await until()
    calls.push('resume')
    return value
  }
  return { calls, context, wait }
}
