import { defineCapability } from '../capability/capability.ts'
import { exposedKinds } from '../exposed-kinds/capability.ts'
import { hyperfleet } from '../hyperfleet/capability.ts'
import { loadBase } from '../hyperfleet/openapi/load.ts'
import { planes } from '../planes/capability.ts'
import { named } from '../planes/controllers/runtime/start-in-order.ts'
import { readInteger, retired } from '../lib/settings/setting.ts'
import { createContentCodec } from './access/content-codec.ts'
import { fleetRoles } from './access/fleet-roles.ts'
import { startFleetController } from './controllers/fleet-controller.ts'
import { createFleets } from './create-fleets.ts'
import type { FleetMembersOf } from './members/fleet-members.ts'
import { composeKplane } from './openapi/compose-kplane.ts'

const BASE = new URL('../../openapi/kplane-base.yaml', import.meta.url)

/** Maximum number of members of a Fleet. */
const MAX_REPLICAS = 100_000

/** The ports of fleets. */
export interface Fleets {
  /** The members of fleets; null on a server without clusters. */
  membersOf: FleetMembersOf | null
}

/** One declaration for many clusters: fleets, scenarios and claims. */
export const fleets = defineCapability({
  name: 'fleets',
  needs: { hyperfleet, planes, exposedKinds },
  settings: {
    fleetMaxReplicas: retired({
      env: 'FLEET_MAX_REPLICAS',
      shared: true,
      doc: 'a Fleet may have 100000 members',
      read: (value) => readInteger(value, { min: 1, max: 1_000_000 }),
    }),
  },
  derive: ({ fleetMaxReplicas }) => ({ fleetMaxReplicas: fleetMaxReplicas ?? MAX_REPLICAS }),
  async open({ config, needs }): Promise<Fleets> {
    const { planes: plane } = needs
    const base = await loadBase(BASE)
    needs.hyperfleet.fleetDocument = () => composeKplane(base)
    plane.roles.push(fleetRoles)
    plane.codecs.set('fleets.kplane.dev', (envelope) =>
      createContentCodec(envelope, ['spec', 'template']),
    )
    plane.codecs.set('scenarios.kplane.dev', (envelope) => createContentCodec(envelope, ['spec']))
    const ports: Fleets = { membersOf: null }
    const { roots, rules } = needs.exposedKinds
    plane.unseeded.push((seeding) => {
      const { resources, members } = createFleets({
        maxReplicas: config.fleetMaxReplicas,
        operations: needs.hyperfleet.operations,
        roots,
        rules,
        seeding,
        store: () => plane.sealed().store,
      })
      if (members !== null) {
        const { membersOf } = members
        ports.membersOf = membersOf
        plane.controllers.push(() =>
          named('fleet controller', (parts) =>
            startFleetController({ ...parts, membersOf, isRoot: roots.isRoot }),
          ),
        )
      }
      return resources
    })
    return ports
  },
})
