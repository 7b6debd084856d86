// An RL rollout over an ephemeral fleet: 64 environments are claimed, stepped, scored by a snapshot
// after each step, and recycled.
import { Client, type Fleet } from '@flotilla/client'

const ENVIRONMENTS = Number(process.env['ENVIRONMENTS'] ?? 64)
const STEPS = Number(process.env['STEPS'] ?? 10)

const client = new Client(process.env['SERVER'] ?? 'http://127.0.0.1:8000')
const settings = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'environment' },
  data: { name: '${name}', reward: '0' },
}

await client.ephemeralFleet(
  { replicas: ENVIRONMENTS, template: { objects: [settings] }, deleteMembers: true },
  async (fleet) => {
    await fleet.waitUntilReady()
    const start = performance.now()
    const rewards = await Promise.all(Array.from({ length: ENVIRONMENTS }, () => rollout(fleet)))
    const seconds = (performance.now() - start) / 1000
    const total = rewards.reduce((sum, reward) => sum + reward, 0)
    const rate = Math.round((ENVIRONMENTS * STEPS) / seconds)
    console.log(`${ENVIRONMENTS} environments, ${STEPS} steps each, total reward ${total}`)
    console.log(`${rate} steps per second`)
  },
)

/** One episode: claims an environment, steps it, and returns it to its template. */
function rollout(fleet: Fleet): Promise<number> {
  return fleet.withClaim({ wait: 30_000, onRelease: 'Recycle' }, async ({ plane }) => {
    let reward = 0
    for (let step = 1; step <= STEPS; step += 1) {
      await plane.request({
        method: 'PATCH',
        path: '/api/v1/namespaces/default/configmaps/environment',
        headers: { 'Content-Type': 'application/merge-patch+json' },
        body: { data: { reward: String(step) } },
      })
      const state = await plane.state({ resource: 'configmaps', minResourceVersion: 'latest' })
      reward += score(state.byResource('configmaps')?.items ?? [])
    }
    return reward
  })
}

function score(configMaps: readonly unknown[]): number {
  return /"reward":"(\d+)"/.test(JSON.stringify(configMaps)) ? 1 : 0
}
