import { isJsonObject } from '../../lib/json/json.ts'
import type { NativeResource } from '../../planes/model/native-resource.ts'
import { FLEET_TYPE } from '../types/fleet-type.ts'
import { SCENARIO_TYPE } from '../types/scenario-type.ts'
import { contentErrors } from './content-errors.ts'
import type { FleetRules } from './fleet-errors.ts'
import { fleetStrategy } from './fleet-strategy.ts'

/** The member for which the placeholders of a Scenario are replaced. */
const SAMPLE = { name: 'member-0000', index: 0 }

/** Fleets and scenarios, which only root planes serve. */
export function kplaneResources(
  rules: FleetRules,
  servedIn: (plane: string) => boolean,
  endpoints: NonNullable<NativeResource['endpoints']> = {},
): readonly NativeResource[] {
  return [
    { type: FLEET_TYPE, servedIn, strategy: fleetStrategy(rules), endpoints },
    {
      type: SCENARIO_TYPE,
      servedIn,
      strategy: {
        validate: async ({ spec }) =>
          isJsonObject(spec)
            ? contentErrors(rules.content, spec, { field: 'spec', sample: SAMPLE })
            : [],
      },
    },
  ]
}
