import { randomUUID } from 'node:crypto'
import { BASE_PATH } from '../../../../src/hyperfleet/paths/base-path.ts'
import type { AttackLog } from '../attack-log.ts'
import { assertStatus } from '../raw-request.ts'
import { type IssuerServer, PUBLIC_URL } from './issuer-server.ts'

/** Writes from pages that have a token. Only PUBLIC_URL is the origin of the server. */
export async function writeFromTokenPages(
  { admin, origin }: IssuerServer,
  { attack }: AttackLog,
): Promise<void> {
  const write = (page: string, host: string, name: string) =>
    admin.send({
      method: 'POST',
      target: `${BASE_PATH}/clusters`,
      body: { kind: 'Cluster', name, spec: {} },
      headers: [
        ['Origin', page],
        ['Host', host],
      ],
    })
  const { host: own } = new URL(origin)
  for (const host of [own, 'evil.example', 'fleet.example.com']) {
    for (const page of [
      'http://evil.example',
      'null',
      origin,
      `${PUBLIC_URL}.evil.example`,
      `${PUBLIC_URL}:8443`,
      PUBLIC_URL.replace('https:', 'http:'),
      'https://evil.fleet.example.com',
    ]) {
      await attack(`write to ${host} from ${page}`, async () =>
        assertStatus(await write(page, host, 'from-a-page'), 403),
      )
    }
  }
  await attack('deny service to pages of the public URL', async () =>
    assertStatus(await write(PUBLIC_URL, own, `console-${randomUUID()}`), 201),
  )
}
