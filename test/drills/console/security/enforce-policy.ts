import assert from 'node:assert/strict'
import { openTab } from '../browser/console-tab.ts'
import { untilShown } from '../browser/until-shown.ts'
import type { ConsoleRig } from '../rig/console-rig.ts'

/** Ways in which injected markup would run, load or send something. */
const INJECTIONS = [
  `document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="attack()">')`,
  `{ const script = document.createElement('script'); script.textContent = 'attack()'; document.body.append(script) }`,
  `document.body.append(document.createRange().createContextualFragment('<script>attack()</script>'))`,
  `eval('attack()')`,
  `setTimeout('attack()')`,
  `document.body.setAttribute('onclick', 'attack()'), document.body.click()`,
  `location.href = 'javascript:attack()'`,
  `fetch('http://127.0.0.1:9/stolen').then(attack)`,
  `{ const frame = document.createElement('iframe'); frame.srcdoc = '<script>parent.attack()</script>'; document.body.append(frame) }`,
]

/** Chromium itself enforces the policy of the console. */
export async function enforcePolicy({ browser, server }: ConsoleRig): Promise<void> {
  await assertHeaders(`${server.origin}/console/`)
  await using tab = await openTab(browser, server.origin)
  await tab.open('/settings')
  await untilShown(tab.page, 'Settings')
  await tab.assertClean()
  for (const injection of INJECTIONS) {
    // The devtools protocol may evaluate strings, but a task that it starts may not.
    await tab.page.evaluate(`new Promise((resolve) => setTimeout(() => {
      try { ${injection} } catch {} finally { setTimeout(resolve, 20) }
    }))`)
  }
  assert.equal(await tab.page.evaluate('flotillaProbe.isAttacked'), false)
  const violations = await tab.page.evaluate('flotillaProbe.violations.length')
  assert.ok(Number(violations) > 0, 'Chromium reported no violation')
}

async function assertHeaders(url: string): Promise<void> {
  const { headers } = await fetch(url)
  const policy = new Map(
    (headers.get('content-security-policy') ?? '').split(';').map((directive) => {
      const [name = '', ...sources] = directive.trim().split(/\s+/)
      return [name, sources] as const
    }),
  )
  assert.deepEqual(policy.get('default-src'), ["'none'"])
  assert.deepEqual(policy.get('script-src'), ["'self'"])
  assert.deepEqual(policy.get('connect-src'), ["'self'"])
  assert.deepEqual(policy.get('base-uri'), ["'none'"])
  assert.deepEqual(policy.get('form-action'), ["'none'"])
  assert.deepEqual(policy.get('frame-ancestors'), ["'none'"])
  for (const sources of policy.values()) {
    assert.ok(!sources.includes("'unsafe-inline'") && !sources.includes("'unsafe-eval'"))
    assert.ok(sources.every((source) => source.startsWith("'") || source === 'data:'))
  }
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.equal(headers.get('referrer-policy'), 'no-referrer')
}
