import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import type { Target } from '../generator/messages.ts'
import { mixedSource } from '../generator/mixed-source.ts'
import { connectClient } from '../servers/http-client.ts'
import type { Variant } from './variant.ts'

const SAMPLES = 24

/**
 * Sends a few requests of a variant and returns the response bodies; none if they are not GETs.
 * Throws if a response is not what the variant measures: a fast wrong response is worth nothing.
 */
export async function sampleResponses(
  target: Target,
  { name, mix, problem = () => null }: Variant,
): Promise<readonly string[]> {
  await using client = connectClient(target.origin, 1)
  const nextSource = mixedSource(target, mix)
  const responses: string[] = []
  for (let count = 0; count < SAMPLES; count += 1) {
    const { method, base = BASE_PATH, path } = nextSource().next()
    if (method !== 'GET') return []
    const { status, text } = await client.requestPath('GET', base + path)
    const wrong = status === 200 ? problem(JSON.parse(text), target.dataset.rows) : 'failed'
    if (wrong !== null) {
      throw new Error(`${name}: GET ${path} ${wrong}: ${status} ${text.slice(0, 500)}`)
    }
    responses.push(text)
  }
  return responses
}
