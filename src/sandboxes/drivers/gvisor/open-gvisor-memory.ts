import type { MemoryCapture } from '../process/memory-capture.ts'
import type { OfferedWall } from '../runtime/walls/wall.ts'
import { readGvisorFacts } from './compatibility.ts'
import { createGvisorMemory } from './gvisor-memory.ts'

/** The memory capture of the class `gvisor`, which works if the class is offered. */
export async function openGvisorMemory(walls: readonly OfferedWall[]): Promise<MemoryCapture> {
  const offered = walls.find(({ name }) => name === 'gvisor')
  const engine = offered?.wall?.engine
  if (engine === undefined || offered?.reason !== '') {
    const unavailable = offered?.reason ?? 'this runtime has no class gvisor'
    return createGvisorMemory({ unavailable, available: null })
  }
  const facts = await readGvisorFacts(engine)
  return createGvisorMemory({ unavailable: '', available: { engine, facts } })
}
