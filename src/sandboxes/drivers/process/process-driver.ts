import { create } from '@bufbuild/protobuf'
import { DriverInfoSchema } from '../generated/proto/snapshot_driver_pb.ts'
import type { BootRequest, HostedDriver } from '../runtime/hosted-drivers.ts'
import { checkpoint } from './checkpoint.ts'
import { parameterProblems } from './driver-parameters.ts'
import { getSnapshot } from './get-snapshot.ts'
import { restoredImages } from './memory-directories.ts'
import { listSnapshots } from './list-snapshots.ts'
import type { ProcessDriverOptions } from './process-driver-options.ts'
import { restore } from './restore.ts'
import { openLocation } from './snapshot-location.ts'

/**
 * Creates the driver that captures the files of a sandbox and starts its command again. With
 * `memory` it also captures the processes, which continue from the same point.
 */
export function createProcessDriver(options: ProcessDriverOptions): HostedDriver {
  const { memory } = options
  const name = memory?.driver ?? 'process'
  return {
    name,
    info: async () =>
      create(DriverInfoSchema, {
        name,
        version: options.version,
        captures: memory ? ['filesystem', 'memory'] : ['filesystem'],
        freezes: options.freezes,
        lists: true,
        stores: ['local', 's3'],
        unavailableReason: options.tools.unavailable || (memory?.unavailable ?? ''),
      }),
    validate: async ({ parameters }) => parameterProblems(parameters, options),
    checkpoint: (request, instance, signal) => checkpoint(options, { request, instance, signal }),
    restore: (request, sandbox, signal) => restore(options, { request, sandbox, signal }),
    delete: async (request, signal) => {
      const { store, prefix } = await openLocation(request, request.sandbox, options)
      await store.delete(prefix, signal)
    },
    getSnapshot: (request, signal) => getSnapshot(options, request, signal),
    listSnapshots: (request, signal) => listSnapshots(options, request, signal),
    ...(memory && {
      memoryClass: memory.isolationClass,
      boot: (request: BootRequest) => memory.boot(request, restoredImages(request.directory)),
    }),
  }
}
