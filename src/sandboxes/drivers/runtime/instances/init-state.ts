import { create } from '@bufbuild/protobuf'
import { type Volume, VolumeSchema } from '../../generated/proto/snapshot_driver_pb.ts'

/**
 * The volume with the progress of the init containers. It has the lifetime of the files that they
 * prepare: snapshots contain it, and a cold boot removes it. No volume of a pod can have the name.
 */
export const INIT_STATE: Volume = create(VolumeSchema, { name: 'init_state' })

/** Selects the variables of an init container in the file of variables. */
export const INIT_VARIABLE = 'SANDBOX_INIT'
