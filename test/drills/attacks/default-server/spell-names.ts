import assert from 'node:assert/strict'
import { isIP } from 'node:net'
import { BASE_PATH } from '../../../../src/hyperfleet/paths/base-path.ts'
import type { AttackLog } from '../attack-log.ts'
import { assertStatus, sendRaw } from '../raw-request.ts'
import { randomTexts } from '../seeded-random.ts'
import type { DefaultServer } from './default-server.ts'

/** Parts of hosts and origins. Some programs decode, trim or normalize them. */
const WORDS =
  'evil.example localhost LOCALHOST 127.0.0.1 [::1] ::1 127.1 0x7f.1 2130706433 ' +
  '0177.0.0.1 0 1 a é xn--lgbbat1ad8j - _ . : :80 :65536 @ # / \\ ? % %2e %40 , ; [ ' +
  '] *'
const PARTS = [...WORDS.split(' '), ' ', '\t']
const SCHEMES = ['http://', 'https://', 'HTTP://', 'ftp://', 'file://', '//', '', 'null']
const MAX_PARTS = 4

interface Random {
  readonly seed: number
  readonly count: number
}

/** Names the server in ways that only some programs understand. */
export async function spellNames(
  { origin }: DefaultServer,
  { attack }: AttackLog,
  random: Random,
): Promise<void> {
  const target = `${BASE_PATH}/clusters`
  const own = new URL(origin).host
  for (const host of randomTexts(PARTS, { ...random, maxParts: MAX_PARTS })) {
    await attack(`read as the host ${JSON.stringify(host)}`, async () => {
      const response = await sendRaw(origin, { target, headers: [['Host', host]] })
      if (isHarmless(host)) assertStatus(response, 200)
      else if (isForeign(host)) assertStatus(response, 421)
      else assertStatus(response, 200, 400, 421)
    })
  }
  const texts = randomTexts([own, own, ...SCHEMES, ...PARTS], { ...random, maxParts: MAX_PARTS })
  for (const [index, text] of texts.entries()) {
    const page = (SCHEMES[index % SCHEMES.length] ?? '') + text
    const isOwn = ['http://', 'https://'].some(
      (scheme) => page.trim().toLowerCase() === scheme + own,
    )
    if (isOwn) continue
    await attack(`write from the origin ${JSON.stringify(page)}`, async () => {
      const body = { kind: 'Cluster', name: 'from-a-spelt-page', spec: {} }
      const headers = [['Content-Type', 'application/json'] as const, ['Origin', page] as const]
      assertStatus(await sendRaw(origin, { method: 'POST', target, headers, body }), 403)
    })
  }
  await attack('leave a trace', async () => {
    const { text } = await sendRaw(origin, { target: `${target}?pageSize=100` })
    assert.ok(!text.includes('from-a-spelt-page'))
  })
}

/** Whether the documentation accepts a host: an address or `localhost`, with a possible port. */
function isHarmless(host: string): boolean {
  const [, literal = '', port = '1'] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(host.trim()) ?? []
  if (port === undefined || Number(port) > 65_535 || literal === '') return false
  return literal.toLowerCase() === 'localhost' || isIP(literal.replace(/^\[(.*)\]$/, '$1')) !== 0
}

/** Whether a browser sends a host for a page that has a name which is not of the loopback. */
function isForeign(host: string): boolean {
  const url = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : null
  if (url === null || url.host !== host) return false
  const { hostname } = url
  if (isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0) return false
  return !/(^|\.)localhost\.?$/.test(hostname)
}
