import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { startProgram } from '../../../process/program.ts'
import {
  type Definition,
  readDefinitions,
} from '../../kubernetes-clients/definitions/read-definitions.ts'
import { DEFINITION_SOURCES } from '../../kubernetes-clients/definitions/sources.ts'
import {
  servedPaths,
  storeDefinitions,
  type Target,
  untilServed,
} from '../../kubernetes-clients/definitions/store-definitions.ts'
import { inTemporaryCopy } from '../../kubernetes-clients/plane-workspace.ts'
import { startKubernetesService } from '../e2e/kubernetes-service.ts'
import type { Release } from '../programs.ts'
import { recordResults } from '../results.ts'
import { startKubernetes } from '../start-kubernetes.ts'
import { compareDefinitions, type Rejections } from './compare-definitions.ts'

/** A run on one server. */
interface Run {
  readonly release: Release
  /** An empty folder. */
  readonly folder: string
  readonly definitions: readonly Definition[]
}

/**
 * Stores the definitions of well-known projects in a root plane and in Kubernetes, and uses each served
 * version. Prints how many definitions and rules Kubernetes and planes accept.
 */
export function runDefinitions(release: Release): Promise<void> {
  return inTemporaryCopy('definitions', async (tools) => {
    const definitions = await readDefinitions(tools)
    const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-definitions-'))
    const run = async (name: string): Promise<Run> => {
      const own = path.join(folder, name)
      await mkdir(own)
      return { release, folder: own, definitions }
    }
    try {
      const planes = await onPlane(await run('planes'))
      const kubernetes = await onKubernetes(await run('kubernetes'))
      const projects = DEFINITION_SOURCES.length
      const outcomes = { planes, kubernetes, projects }
      await recordResults(release, 'definitions', compareDefinitions(definitions, outcomes))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
}

async function onPlane({ folder, definitions }: Run): Promise<Rejections> {
  await using server = startProgram({ DATA_DIR: folder })
  const { port } = await server.ready()
  return await load({ url: `http://127.0.0.1:${port}` }, definitions)
}

async function onKubernetes({ release, folder, definitions }: Run): Promise<Rejections> {
  await using kubernetes = await startKubernetes({ release, folder, args: [] })
  const { port, token, caFile } = kubernetes
  await using service = await startKubernetesService({
    origin: `https://127.0.0.1:${port}`,
    caFile,
  })
  const headers = { Authorization: `Bearer ${token}` }
  return await load({ url: service.origin, headers }, definitions)
}

async function load(target: Target, definitions: readonly Definition[]): Promise<Rejections> {
  const rejected = await storeDefinitions(target, definitions)
  const accepted = definitions.filter(({ metadata }) => !rejected.has(metadata.name))
  for (const served of accepted.flatMap(servedPaths)) await untilServed(target, served)
  return rejected
}
