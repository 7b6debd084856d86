import { randomBytes } from 'node:crypto'
import { seededRandom } from '../data/seeded-random.ts'
import type { Target } from './messages.ts'
import type { Mix } from './operation.ts'
import { requestSource, type RequestSource } from './request-source.ts'

/** Chooses the source of the next request: always one where the mix has one operation. */
export function mixedSource(target: Target, mix: Mix): () => RequestSource {
  const random = seededRandom(target.dataset.seed)
  const tag = `bench-${randomBytes(4).toString('hex')}`
  const chances = { dataset: target.dataset, ids: target.ids, random, tag }
  const sources = mix.map(([weight, operation]) => {
    return { weight, source: requestSource(operation, chances) }
  })
  const [first] = sources
  if (first === undefined) throw new Error('a load without operations')
  const whole = sources.reduce((sum, { weight }) => sum + weight, 0)
  return () => {
    let rest = random() * whole
    for (const { weight, source } of sources) {
      rest -= weight
      if (rest < 0) return source
    }
    return first.source
  }
}
