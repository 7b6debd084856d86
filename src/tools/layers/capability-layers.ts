import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { must } from '../../lib/assert.ts'
import { FOUNDATION } from './foundation-layers.ts'
import type { Layer } from './layer.ts'
import { PLANES } from './plane-layers.ts'

const SRC = new URL('../../', import.meta.url)
const APIS: readonly string[] = ['hyperfleet', 'planes']

/** The folders of the capabilities on the two APIs. */
export const CAPABILITIES: readonly string[] = readdirSync(SRC).filter(
  (folder) => !APIS.includes(folder) && existsSync(new URL(`${folder}/capability.ts`, SRC)),
)

/**
 * Sandboxes use the rest of Flotilla by its entry points, as other products do. Only their
 * capability, the code that it opens (`server`), and their tables are parts of Flotilla's server.
 */
const SANDBOX_LAYERS: Readonly<Record<string, Layer>> = {
  'sandboxes/model': { imports: [] },
  'sandboxes/types': { imports: ['sandboxes/model'] },
  'sandboxes/storage': {
    imports: ['store/database'],
    types: ['generated/prisma', 'sandboxes/controllers'],
  },
  'sandboxes/controllers': {
    imports: [
      'sandboxes/drivers/generated/proto',
      'sandboxes/drivers/protocol',
      'sandboxes/model',
      'sandboxes/storage',
    ],
  },
  'sandboxes/drivers/generated/proto': { imports: [] },
  'sandboxes/drivers/protocol': { imports: ['sandboxes/drivers/generated/proto'] },
  'sandboxes/drivers': { imports: ['sandboxes/drivers'] },
  'sandboxes/access': { imports: ['sandboxes'] },
  'sandboxes/endpoints': { imports: ['sandboxes'] },
  'sandboxes/resources': { imports: ['sandboxes'] },
  'sandboxes/sandboxd': { imports: ['sandboxes'] },
}

const FLEET_LAYERS: Readonly<Record<string, Layer>> = {
  'fleets/model': { imports: ['lib', ...PLANES('model', 'schemas')] },
  'fleets/types': { imports: ['lib', ...PLANES('model', 'native')] },
  'fleets/members': {
    imports: [
      'lib',
      'access',
      'store',
      'fleets/model',
      'fleets/types',
      ...PLANES('errors', 'model', 'seeding', 'selectors'),
    ],
  },
  'fleets/controllers': {
    imports: ['lib', 'store/objects/model', ...PLANES('controllers', 'errors', 'model')],
    types: ['fleets/members'],
  },
}

/** Imports beside those that `needs` allows, with the reason. */
const FURTHER: Readonly<Record<string, readonly string[]>> = {
  // A tenant moves with the rows of its sandboxes.
  shards: ['sandboxes/storage'],
}

/**
 * The rows of the capabilities. Each may import the foundation and the capabilities that it needs,
 * as its declaration says.
 */
export const CAPABILITY_LAYERS: Readonly<Record<string, Layer>> = {
  ...Object.fromEntries(
    CAPABILITIES.map((folder) => {
      const imports = [...FOUNDATION, ...needsOf(folder), folder, ...(FURTHER[folder] ?? [])]
      return [folder, { imports }] as const
    }),
  ),
  ...FLEET_LAYERS,
  ...SANDBOX_LAYERS,
}

/** The folders in the `needs` of a capability, which the compiler compares with their objects. */
function needsOf(folder: string): readonly string[] {
  const text = readFileSync(new URL(`${folder}/capability.ts`, SRC), 'utf8')
  const [, names = ''] = /\n  needs: \{([^}]*)\}/.exec(text) ?? []
  const imports = text.matchAll(/^import \{ (\w+) \} from '\.\.\/([a-z-]+)\/capability\.ts'/gm)
  const folders = new Map([...imports].map(([, name, from]) => [name, from]))
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => must(folders.get(name), `the import of ${name} in ${folder}/capability.ts`))
}
