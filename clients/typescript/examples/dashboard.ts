// The data layer of a dashboard: a page of clusters, sorted, with the total; then live changes.
import { Client, type Cluster } from '@flotilla/client'

const client = new Client(process.env['SERVER'] ?? 'http://127.0.0.1:8000')
const list = client.clusters.list({ orderBy: 'name', pageSize: 25 })

let number = 0
for await (const page of list.pages()) {
  number += 1
  console.log(`page ${number} of ${Math.ceil(page.total / 25)}`)
  for (const { name, status } of page.items) {
    const ready = status.conditions.find(({ type }) => type === 'Ready')
    console.log(`  ${name.padEnd(30)} ${ready?.status}`)
  }
  if (number === 2) break
}

const clusters = new Map<string, Cluster>()
for await (const event of client.clusters.watch()) {
  // The server lost the changes since the last event: all clusters follow again.
  if (event.type === 'RESET') clusters.clear()
  else if (event.type === 'DELETED') clusters.delete(event.object.id)
  else if (event.type === 'BOOKMARK') break // a dashboard would continue with live changes
  else clusters.set(event.object.id, event.object)
}
console.log(`${clusters.size} clusters in memory`)
