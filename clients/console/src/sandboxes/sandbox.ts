import type { KubeCondition, KubeObject } from '../kube/kube-object.ts'

/** A Sandbox, with the fields that the console shows. */
export interface Sandbox extends KubeObject {
  readonly spec: {
    readonly operatingMode?: 'Running' | 'Suspended' | undefined
    readonly suspensionStrategy?: { readonly type?: string | undefined } | undefined
    readonly shutdownTime?: string | undefined
    readonly autoSuspend?: { readonly idleSeconds?: number | undefined } | undefined
  }
  readonly status?: SandboxStatus | undefined
}

interface SandboxStatus {
  readonly conditions?: readonly KubeCondition[] | undefined
  readonly boot?: string | undefined
  readonly runtime?: string | undefined
  readonly nodeName?: string | undefined
  readonly restarts?: number | undefined
  readonly exitCode?: number | undefined
  readonly lastActivityTime?: string | undefined
  readonly suspendedTime?: string | undefined
  readonly podIPs?: readonly string[] | undefined
  readonly snapshot?: { readonly name?: string | undefined } | undefined
}

/** A Snapshot of a sandbox. */
export interface SandboxSnapshot extends KubeObject {
  readonly status?:
    | {
        readonly phase?: string | undefined
        readonly message?: string | undefined
        readonly sizeBytes?: number | undefined
        readonly captured?: readonly string[] | undefined
        readonly backend?: { readonly driver?: string; readonly store?: string } | undefined
      }
    | undefined
}

export const SANDBOXES = {
  group: 'agents.x-k8s.io',
  version: 'v1beta1',
  plural: 'sandboxes',
} as const
