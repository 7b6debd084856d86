import { isJsonObject } from '../../lib/json/json.ts'
import type { NativeResource } from '../../planes/model/native-resource.ts'
import { ROOT_PLANE } from '../../planes/planes/root-plane.ts'
import { FLEET_TYPE } from '../types/fleet-type.ts'
import { SCENARIO_TYPE } from '../types/scenario-type.ts'
import { contentErrors } from './content-errors.ts'
import type { FleetRules } from './fleet-errors.ts'
import { fleetStrategy } from './fleet-strategy.ts'

/** The member for which the placeholders of a Scenario are replaced. */
const SAMPLE = { name: 'member-0000', index: 0 }

const inRoot = (plane: string): boolean => plane === ROOT_PLANE

/** Fleets and scenarios, which only the root plane serves. */
export function kplaneResources(
  rules: FleetRules,
  endpoints: NonNullable<NativeResource['endpoints']> = {},
): readonly NativeResource[] {
  return [
    { type: FLEET_TYPE, servedIn: inRoot, strategy: fleetStrategy(rules), endpoints },
    {
      type: SCENARIO_TYPE,
      servedIn: inRoot,
      strategy: {
        validate: async ({ spec }) =>
          isJsonObject(spec)
            ? contentErrors(rules.content, spec, { field: 'spec', sample: SAMPLE })
            : [],
      },
    },
  ]
}
