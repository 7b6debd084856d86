/**
 * The networks around a simulated machine. Runs inside a namespace of the test: nothing here is
 * reachable from the real network, or reaches it. Arguments: addresses of servers, and those of the
 * name server. Every server answers with the address that the client has used.
 */
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'

const [nameServer = '', ...records] = process.argv.slice(2)
/** @type {Map<string, string>} */
const names = new Map()
for (const record of records) {
  const [name = '', address = ''] = record.split('=')
  names.set(name, address)
}

for (const port of [80, 443]) {
  createServer((socket) =>
    socket.on('error', () => {}).end(`${socket.localAddress}:${port}`),
  ).listen(port, '0.0.0.0')
}

const dns = createSocket('udp4')
dns.on('message', (query, from) => dns.send(answer(query), from.port, from.address))
dns.bind(53, nameServer, () => process.stdout.write('ready\n'))

/**
 * Names are `name=address` arguments. `set.<address with dashes>.<name>` changes the record of a name.
 * @param {Buffer} query
 */
function answer(query) {
  let end = 12
  /** @type {string[]} */
  const labels = []
  while (query[end] !== 0) {
    const length = query[end] ?? 0
    labels.push(query.toString('latin1', end + 1, end + 1 + length))
    end += length + 1
  }
  const question = query.subarray(12, end + 5)
  const isA = query.readUInt16BE(end + 1) === 1
  if (labels[0] === 'set')
    names.set(labels.slice(2).join('.'), (labels[1] ?? '').replaceAll('-', '.'))
  const address = names.get(labels.join('.'))
  const header = Buffer.alloc(12)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(address === undefined ? 0x8183 : 0x8180, 2)
  header.writeUInt16BE(1, 4)
  if (address === undefined || !isA) return Buffer.concat([header, question])
  header.writeUInt16BE(1, 6)
  const record = Buffer.from([
    0xc0,
    12,
    0,
    1,
    0,
    1,
    0,
    0,
    0,
    1,
    0,
    4,
    ...address.split('.').map(Number),
  ])
  return Buffer.concat([header, question, record])
}
