import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import {
  BUBBLEWRAP_PROGRAMS,
  BUBBLEWRAP_SEPARATES,
  createBubblewrapWall,
} from './bubblewrap/bubblewrap-wall.ts'
import { systemDirectories } from './view/system-directories.ts'
import { offerGvisor } from './gvisor/offer-gvisor.ts'
import { probeWall, removeProbes } from './probe-wall.ts'
import { PROCESS_WALL } from './process-wall.ts'
import { seccompFilter } from './seccomp/filter.ts'
import type { Offer, OfferedWall } from './wall.ts'

/** The isolation classes of this runtime. The first one that is offered is the default. */
export async function offerWalls(offer: Offer): Promise<readonly OfferedWall[]> {
  await removeProbes(offer.layout)
  return [...(await Promise.all([offerBubblewrap(offer), offerGvisor(offer)])), offerProcess(offer)]
}

async function offerBubblewrap({ machine, layout, networks }: Offer): Promise<OfferedWall> {
  const refused = (reason: string): OfferedWall => ({
    name: 'bubblewrap',
    separates: BUBBLEWRAP_SEPARATES,
    wall: null,
    reason,
  })
  const missing = BUBBLEWRAP_PROGRAMS.find((name) => machine.programs[name] === undefined)
  if (missing === 'bwrap') return refused('the program bwrap is missing: install bubblewrap')
  if (missing !== undefined) return refused(`the program ${missing} is missing`)
  if (machine.isRoot && !machine.isolatesUsers) return refused('the program setpriv is missing')
  const { arch } = process
  if (arch !== 'x64' && arch !== 'arm64') return refused(`there is no filter for ${arch}`)
  const filterFile = path.join(layout.stateDirectory, 'seccomp.bpf')
  await writeFile(filterFile, seccompFilter(arch), { mode: 0o600 })
  const wall = createBubblewrapWall({
    filterFile,
    systemDirectories: await systemDirectories(),
    sizesMemoryFiles: machine.sizesMemoryFiles,
  })
  const reason = await probeWall(wall, { machine, layout, networks })
  return reason === ''
    ? { name: 'bubblewrap', separates: wall.separates, wall, reason }
    : refused(reason)
}

function offerProcess({ startsUnisolated }: Offer): OfferedWall {
  return {
    name: 'process',
    separates: PROCESS_WALL.separates,
    wall: PROCESS_WALL,
    reason: startsUnisolated ? '' : 'it has no wall, so it needs SANDBOX_UNISOLATED=true',
  }
}
