/** Remedies by the reason of a condition. The documentation has the same table. */
const REMEDIES: Readonly<Record<string, string>> = {
  NoRuntime: 'Start a runtime with space and the driver that the message names.',
  Unisolated: 'Configure authentication, or permit unisolated sandboxes: the message says how.',
  ImageNotFound: 'Register the image on the machine of a runtime: the message says how.',
  RuntimeUnreachable: 'Start the runtime again. Its workloads may still run.',
  CrashLoopBackOff: 'Read the logs: the program ends again and again.',
  CheckpointFailed: 'Correct the cause in the message. The next attempt follows by itself.',
  ProviderNotFound: 'Create the SnapshotProvider with this name.',
  ClassNotFound: 'Create the SnapshotClass with this name.',
  ClaimNotFound: 'Create the SnapshotClaim.',
  ClaimNotBound: 'Read the condition Bound of the SnapshotClaim.',
  TemplateNotFound: 'Create the template.',
  NameConflict: 'Delete the object that has the name of the claim.',
  AmbiguousDefaultClass: 'Leave one default class, or name a class in the claim.',
  DriverNotFound: 'Correct the provider or the class: the message names the drivers.',
  ParametersInvalid: 'Correct the parameters of the provider or the class.',
  CredentialsNotFound: 'Create the Secret.',
  StoreFull: 'Free space in the store. The workload continues to run.',
  SnapshotCorrupt: 'Restore the data, or permit a cold boot.',
  Incompatible: 'Restore the machine, or permit a cold boot.',
}

/** The remedy for a reason; undefined if the user has nothing to do. */
export function remedyOf({ reason = '' }: { readonly reason?: string | undefined }) {
  return REMEDIES[reason]
}
