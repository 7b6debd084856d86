import { queryClient } from '../data/query-client.ts'
import { describeError } from '../design/states/describe-error.ts'
import { notify } from '../design/overlays/notify.ts'
import { client } from '../session/connection.ts'
import { FLEETS_PATH } from './fleet-objects.ts'
import { fleetQuery } from './fleet-query.ts'

/** Pauses or resumes the controller's work on a fleet, and reports the result. */
export async function setPaused(name: string, paused: boolean): Promise<void> {
  try {
    await client.plane('root').request({
      method: 'PATCH',
      path: `${FLEETS_PATH}/${encodeURIComponent(name)}`,
      body: { spec: { paused } },
      headers: { 'Content-Type': 'application/merge-patch+json' },
    })
    notify({ tone: 'good', title: paused ? `Paused ${name}` : `Resumed ${name}` })
    await queryClient.invalidateQueries(fleetQuery(name))
  } catch (error) {
    const { title, message } = describeError(error)
    notify({ tone: 'bad', title, description: message })
  }
}
