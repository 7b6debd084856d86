import { expect, it } from 'vitest'
import { type Capability, defineCapability, type Parts } from './capability.ts'
import { openCapabilities } from './open-capabilities.ts'

/** Records the steps of two capabilities, of which the second needs the first. */
function recorded(steps: string[]) {
  const base = defineCapability({
    name: 'base',
    needs: {},
    settings: {},
    open: () => {
      steps.push('open base')
      return { added: new Array<string>() }
    },
    seal: (_parts, { added }) => void steps.push(`seal base with ${added.join()}`),
    run: () => void steps.push('run base'),
  })
  const further = defineCapability({
    name: 'further',
    needs: { base },
    settings: {},
    open: ({ needs }) => {
      steps.push('open further')
      needs.base.added.push('further')
    },
    run: ({ port }) => void steps.push(`run further at ${port}`),
  })
  return { base, further }
}

// Neither capability uses the foundation.
const FOUNDATION: Omit<Parts<Readonly<Record<string, unknown>>>, 'needs'> = Object.create(null)

it('opens capabilities in their order, then seals them, then runs them, in the reverse order', async () => {
  const steps: string[] = []
  const { base, further } = recorded(steps)
  const opened = await openCapabilities([base, further], FOUNDATION)
  await opened.seal()
  opened.run(8000)
  expect(steps).toEqual([
    'open base',
    'open further',
    'seal base with further',
    'run further at 8000',
    'run base',
  ])
  expect(opened.portsOf(base).added).toEqual(['further'])
})

it('rejects a list with a capability before one that it needs', async () => {
  const { base, further } = recorded([])
  const list: readonly Capability[] = [further, base]
  await expect(openCapabilities(list, FOUNDATION)).rejects.toThrow('the capability base')
})
