import { isJsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { forbiddenValue, invalidValue, unsupportedValue } from '../../errors/field-errors.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { FieldError } from '../../model/field-error.ts'
import type { NativeResource } from '../../model/native-resource.ts'
import { labelKeyProblems } from '../../selectors/label-syntax.ts'
import { microTimeErrors } from '../micro-time.ts'
import { nativeType } from '../native-type.ts'
import { AGE_COLUMN, NAME_COLUMN, textColumn } from '../printer-columns.ts'
import { definition, integer, text, time } from '../schemas/field-schemas.ts'

const STRATEGIES = ['OldestEmulationVersion']

const TYPE = nativeType({
  group: 'coordination.k8s.io',
  kind: 'Lease',
  plural: 'leases',
  definitions: 'io.k8s.api.coordination.v1',
  namespaced: true,
  description: 'A claim that a process renews, for example to be the leader.',
  properties: {
    spec: definition('io.k8s.api.coordination.v1.LeaseSpec', {
      description: 'The holder of a lease.',
      properties: {
        acquireTime: time('Time when the current holder acquired the lease.'),
        holderIdentity: text('Identity of the holder.'),
        leaseDurationSeconds: integer('Seconds after the last renewal that others must wait.'),
        leaseTransitions: integer('Number of changes of the holder.'),
        preferredHolder: text('Identity that the holder should hand the lease to.'),
        renewTime: time('Time of the last renewal.'),
        strategy: text('Strategy that elects the holder.'),
      },
    }),
  },
  printerColumns: [
    NAME_COLUMN,
    textColumn('Holder', '.spec.holderIdentity', 'Identity of the holder.'),
    AGE_COLUMN,
  ],
})

function strategyErrors(strategy: JsonValue | undefined): readonly FieldError[] {
  const field = 'spec.strategy.strategy'
  if (typeof strategy !== 'string') return []
  if (!strategy.includes('/'))
    return STRATEGIES.includes(strategy) ? [] : [unsupportedValue(field, strategy, STRATEGIES)]
  return labelKeyProblems(strategy).map((message) => invalidValue(field, strategy, message))
}

function validate({ spec }: ApiObject): readonly FieldError[] {
  if (!isJsonObject(spec)) return []
  const { leaseDurationSeconds, leaseTransitions, preferredHolder = '', strategy } = spec
  const errors: FieldError[] = ['acquireTime', 'renewTime'].flatMap((member) =>
    microTimeErrors(`spec.${member}`, spec[member]),
  )
  if (typeof leaseDurationSeconds === 'number' && leaseDurationSeconds <= 0) {
    const field = 'spec.leaseDurationSeconds'
    errors.push(invalidValue(field, leaseDurationSeconds, 'must be greater than 0'))
  }
  if (typeof leaseTransitions === 'number' && leaseTransitions < 0) {
    const field = 'spec.leaseTransitions'
    errors.push(invalidValue(field, leaseTransitions, 'must be greater than or equal to 0'))
  }
  errors.push(...strategyErrors(strategy))
  if (preferredHolder !== '' && (strategy ?? '') === '') {
    const message = 'may only be specified if `strategy` is defined'
    errors.push(forbiddenValue('spec.preferredHolder', message))
  }
  return errors
}

/** Leases, for leader election. */
export const LEASES: NativeResource = { type: TYPE, strategy: { validate } }
