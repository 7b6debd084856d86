import type { FleetTemplate, NewFleet } from '../../../typescript/src/index.ts'
import { loadDocuments } from '../documents/load-documents.ts'
import { CliError } from '../errors/cli-error.ts'
import type { Session } from '../session/session.ts'
import { waitForFleet } from './wait-for-fleet.ts'

/** The options of `flotilla fleet create`. */
export interface CreateFleetOptions {
  readonly replicas: number
  readonly prefix?: string | undefined
  readonly scenario?: string | undefined
  readonly objects?: readonly string[] | undefined
  /** Seconds. */
  readonly ttl?: number | undefined
  readonly deleteMembers?: boolean | undefined
  readonly wait: boolean
  /** Milliseconds. */
  readonly timeout: number
}

/** Creates a fleet, and waits for its members. */
export async function createFleet(
  session: Session,
  name: string,
  options: CreateFleetOptions,
): Promise<void> {
  const { client, signal, out } = session
  const { replicas, prefix, ttl, deleteMembers, wait, timeout } = options
  const template = await templateOf(session, options)
  const policy = deleteMembers === true ? 'Delete' : undefined
  const fleet: NewFleet = {
    name,
    replicas,
    namePrefix: prefix,
    ttlSeconds: ttl,
    deletionPolicy: policy,
    scaleDownPolicy: policy,
    template,
  }
  await client.createFleet(fleet, { signal })
  if (wait) await waitForFleet(session, name, timeout)
  out.write(wait ? `fleet/${name} created with ${replicas} members\n` : `fleet/${name} created\n`)
}

/** The initial content of the members: a scenario, or the objects of files. */
async function templateOf(
  session: Session,
  { scenario, objects }: CreateFleetOptions,
): Promise<FleetTemplate | undefined> {
  if (scenario !== undefined && objects !== undefined) {
    throw new CliError('--scenario and --objects exclude each other', { exit: 'usage' })
  }
  if (scenario !== undefined) return { scenarioRef: { name: scenario } }
  if (objects === undefined) return undefined
  const documents = await loadDocuments(session, objects, {})
  return { objects: documents.map(({ content }) => ({ ...content })) }
}
