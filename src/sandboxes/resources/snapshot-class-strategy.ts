import { textsOf } from 'flotilla'
import { duplicateValue, type Strategy } from 'flotilla/planes'
import { parametersErrors } from './parameters-errors.ts'
import { emptyErrors } from './text-errors.ts'

/** The rules of classes of snapshots. */
export const SNAPSHOT_CLASS_STRATEGY: Strategy = {
  validate: ({ provisioner, parameters, lockedParameters }) => {
    const locked = textsOf(lockedParameters)
    return [
      ...emptyErrors('provisioner', provisioner),
      ...parametersErrors('parameters', parameters),
      ...locked.flatMap((name, index) => {
        const field = `lockedParameters[${index}]`
        if (locked.indexOf(name) < index) return [duplicateValue(field, name)]
        return emptyErrors(field, name)
      }),
    ]
  },
}
