/** The pod template of a sandbox that runs a shell script, with further fields of its spec. */
export function shellTemplate(script: string, spec: object = {}): object {
  return {
    spec: {
      terminationGracePeriodSeconds: 1,
      ...spec,
      containers: [{ name: 'main', command: ['/bin/sh', '-c', script] }],
    },
  }
}

/** The strategy of a sandbox that hibernates with the provider `local`. */
export const HIBERNATE = {
  type: 'Hibernate',
  hibernate: { snapshotProviderRef: { name: 'local' } },
}
