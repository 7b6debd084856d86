import { Client } from '@flotilla/client'

const client = new Client(process.env['SERVER'] ?? 'http://127.0.0.1:8000')

await client.ephemeralFleet({ replicas: 3, deleteMembers: true }, async (fleet) => {
  await fleet.waitUntilReady()
  for await (const { id, snapshot } of client.states(fleet.members.map((one) => one.clusterID))) {
    console.log(`${id}: ${snapshot?.totalItems()} items`)
  }
})
