/**
 * Uses the SDK in a page. Returns a line for each step.
 * @param {string} module the URL of the SDK
 * @param {string} server
 */
export async function run(module, server) {
  /** @type {typeof import('../../../clients/typescript/src/index.ts')} */
  const { Client, Conflict } = await import(module)
  const client = new Client(server)
  const lines = []

  const cluster = await client.clusters.create({ name: 'browser', labels: { run: 'page' } })
  const error = await client.clusters.create({ name: 'browser' }).catch((reason) => reason)
  lines.push(`conflict ${error instanceof Conflict} ${error.code}`)

  const events = []
  for await (const event of client.clusters.watch({ search: "labels.run='page'" })) {
    events.push(event.type)
    if (event.type === 'BOOKMARK') {
      const { tag } = await client.clusters.getWithTag(cluster.id)
      await client.clusters.patch(cluster.id, { spec: { size: 1 } }, { ifMatch: tag })
    }
    if (event.type === 'MODIFIED') break
  }
  lines.push(`watch ${events.join(' ')}`)

  const { outcome } = await client.clusters.upsert({ name: 'browser', spec: { size: 1 } })
  lines.push(`upsert ${outcome}`)

  for await (const delta of client.plane(cluster.id).states({ resource: 'clusters' })) {
    lines.push(`state ${delta.type === 'SNAPSHOT' ? delta.snapshot.totalItems() : delta.type}`)
    break
  }

  await client.ephemeralFleet({ replicas: 2, deleteMembers: true }, async (fleet) => {
    await fleet.waitUntilReady()
    lines.push(`fleet ${fleet.status.readyReplicas}`)
    await fleet.withClaim({ wait: 10_000 }, async ({ plane, holder }) => {
      lines.push(`claim ${holder.startsWith('sdk-')} ${await plane.isReady()}`)
    })
  })
  return lines
}
