import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { systemDirectories } from '../view/system-directories.ts'
import type { Offer } from '../wall.ts'
import { probeWall } from '../probe-wall.ts'
import type { OfferedWall, Wall } from '../wall.ts'
import { openEngine } from './engine.ts'
import { createGvisorWall, GVISOR_SEPARATES } from './gvisor-wall.ts'

/** The class `gvisor`, if this machine meets its requirements and its probe passes. */
export async function offerGvisor({ machine, layout, networks }: Offer): Promise<OfferedWall> {
  const name = 'gvisor'
  const separates = GVISOR_SEPARATES
  const refused = (reason: string): OfferedWall => ({ name, separates, wall: null, reason })
  const { runsc } = machine.programs
  if (runsc === undefined) return refused('the program runsc is missing: install runsc')
  if (!machine.isRoot)
    return refused('runsc restores memory only for root: start the runtime as root')
  if (!machine.isolatesUsers) return refused('the program setpriv is missing: install util-linux')
  if (machine.cgroups === null) return refused('the machine has no writable cgroup v2')
  const engine = await openEngine(runsc, path.join(layout.stateDirectory, 'runsc'))
  if (typeof engine === 'string') return refused(engine)
  await mkdir(engine.stateRoot, { recursive: true, mode: 0o700 })
  const parts = { engine, systemDirectories: await systemDirectories() }
  const probe = (wall: Wall): Promise<string> => probeWall(wall, { machine, layout, networks })
  const joining = createGvisorWall({ ...parts, networkProblem: '' })
  // The load of the machine can make a probe too slow.
  const networkProblem = (await probe(joining)) && (await probe(joining))
  if (networkProblem === '') return { name, separates, wall: joining, reason: '' }
  const wall = createGvisorWall({ ...parts, networkProblem })
  const reason = await probe(wall)
  // Instances of an earlier runtime need the wall, also if this one starts no others.
  return { name, separates, wall, reason }
}
