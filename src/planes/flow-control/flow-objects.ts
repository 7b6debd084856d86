import type { PlaneConfiguration } from '../../store/objects/model/plane-configuration.ts'
import { EXEMPT } from './default-objects.ts'
import { classesOf } from './flow-control.ts'
import { FLOW_SCHEMAS_KEY } from './flow-schemas.ts'
import { PRIORITY_LEVELS_KEY } from './priority-levels.ts'

const KEY = Symbol('flow objects')

/** A priority level of the root plane. */
interface Level {
  readonly uid: string
  /** Seats that other levels cannot take. */
  readonly seats: number
}

/** The flow schemas and levels of the root plane by their names. */
export interface FlowObjects {
  /** The uids of the flow schemas. */
  readonly schemas: ReadonlyMap<string, string>
  readonly levels: ReadonlyMap<string, Level>
}

/** The objects that this process applies; null before it has read them. */
export interface AppliedFlow {
  objects: FlowObjects | null
}

/** The flow schemas and levels of a plane, once for each version of them. */
export function flowObjectsOf(configuration: PlaneConfiguration): FlowObjects {
  return configuration.derive(KEY, [FLOW_SCHEMAS_KEY, PRIORITY_LEVELS_KEY], (current) => {
    const levels = current.objects(PRIORITY_LEVELS_KEY)
    const classes = classesOf(levels)
    const seatsOf = (name: string): number => classes.get(name)?.seats ?? 0
    return {
      schemas: new Map(current.objects(FLOW_SCHEMAS_KEY).map(({ name, uid }) => [name, uid])),
      levels: new Map(
        levels.map(({ name, uid }) => [name, { uid, seats: name === EXEMPT ? 0 : seatsOf(name) }]),
      ),
    }
  })
}
