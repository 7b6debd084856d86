import type { Target } from '../generator/messages.ts'
import { mixedSource } from '../generator/mixed-source.ts'
import { connectClient } from '../load/client.ts'
import type { Variant } from './variant.ts'

const SAMPLES = 24

/**
 * Answers to the GETs of a variant as it will send them; none where it sends others. Throws where
 * one is not what the variant is about: what answers something else quickly is not fast.
 */
export async function sampleAnswers(
  target: Target,
  { name, mix, problem = () => null }: Variant,
): Promise<readonly string[]> {
  await using client = connectClient(target.origin, 1, target.headers)
  const nextSource = mixedSource(target, mix)
  const answers: string[] = []
  for (let turn = 0; turn < SAMPLES; turn += 1) {
    const { method, path } = nextSource().next()
    if (method !== 'GET') return []
    const { status, text } = await client.request('GET', path)
    const wrong = status === 200 ? problem(JSON.parse(text), target.dataset.rows) : 'is not 200'
    if (wrong !== null) {
      throw new Error(`${name}: GET ${path} ${wrong}: ${status} ${text.slice(0, 500)}`)
    }
    answers.push(text)
  }
  return answers
}
