import assert from 'node:assert/strict'
import { openTab } from '../browser/console-tab.ts'
import { keyboardUser } from '../browser/user.ts'
import { yamlEditor } from '../browser/yaml-editor.ts'
import type { ConsoleRig } from '../rig/console-rig.ts'

const SECRETS = '/api/v1/namespaces/default/secrets'
const VALUE = 'correct horse battery'
const NEW_TEXT = `metadata:
  name: database
  namespace: default
type: Opaque
stringData:
  password: staple
`

/** The values of a Secret are masked, shown one by one, and edited as text. */
export async function editSecrets({ browser, server }: ConsoleRig): Promise<void> {
  const root = server.client.plane('root')
  await root.request({
    method: 'POST',
    path: SECRETS,
    body: {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'database' },
      stringData: { password: VALUE },
    },
  })
  await using tab = await openTab(browser, server.origin)
  const { page } = tab
  await tab.open('/planes/root/core/v1/secrets/default/database')
  const show = page.getByRole('button', { name: 'Show password' })
  await show.waitFor()
  const masked = await page.locator('main').innerText()
  assert.doesNotMatch(masked, new RegExp(`${VALUE}|${btoa(VALUE)}`))
  await show.click()
  await page.getByText(VALUE).waitFor()
  await page.getByRole('button', { name: 'Show as YAML' }).click()
  const editor = yamlEditor(page)
  await editor.getByText(VALUE).waitFor()
  await keyboardUser(page).write(editor, `apiVersion: v1\nkind: Secret\n${NEW_TEXT}`)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved database').waitFor()
  const stored = await root.request<{ readonly data: unknown }>({
    method: 'GET',
    path: `${SECRETS}/database`,
  })
  assert.deepEqual(stored.data, { password: btoa('staple') })
  await tab.assertClean()
}
