import { randomBytes } from 'node:crypto'
import { seededRandom } from '../data/seeded-random.ts'
import { weightedChoice } from '../data/weighted-choice.ts'
import type { Target } from './messages.ts'
import type { Mix } from './operation.ts'
import { requestSource, type RequestSource } from './request-source.ts'

/** Returns a function that picks the source of the next request by the weights of a mix. */
export function mixedSource(target: Target, mix: Mix): () => RequestSource {
  const random = seededRandom(target.dataset.seed)
  const tag = `bench-${randomBytes(4).toString('hex')}`
  const context = { dataset: target.dataset, random, tag }
  const sources = mix.map(
    ([weight, operation]) => [weight, requestSource(operation, context)] as const,
  )
  return weightedChoice(sources, random)
}
