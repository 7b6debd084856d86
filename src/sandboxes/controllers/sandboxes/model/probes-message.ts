import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ProbeCheck, WorkloadProbe, WorkloadProbes } from '../../../model/workload-probes.ts'
import type {
  ProbeSchema,
  ProbesSchema,
} from '../../../drivers/generated/proto/snapshot_driver_pb.ts'

type ProbeInit = MessageInitShape<typeof ProbeSchema>

/** The probes of a workload for its runtime. */
export function probesMessage({
  startup,
  readiness,
  liveness,
}: WorkloadProbes): MessageInitShape<typeof ProbesSchema> {
  return {
    ...(startup && { startup: probeMessage(startup) }),
    ...(readiness && { readiness: probeMessage(readiness) }),
    ...(liveness && { liveness: probeMessage(liveness) }),
  }
}

function probeMessage({ check, gracePeriodSeconds, ...times }: WorkloadProbe) {
  const grace = gracePeriodSeconds !== null && { gracePeriodSeconds: BigInt(gracePeriodSeconds) }
  return { ...times, ...grace, check: checkMessage(check) }
}

function checkMessage(check: ProbeCheck): NonNullable<ProbeInit['check']> {
  switch (check.type) {
    case 'http': {
      const { port, path, tls, headers } = check
      const copied = headers.map((each) => ({ ...each }))
      return { case: 'http', value: { port, path, tls, headers: copied } }
    }
    case 'tcp':
      return { case: 'tcp', value: { port: check.port } }
    case 'exec':
      return { case: 'exec', value: { command: [...check.command] } }
  }
}
