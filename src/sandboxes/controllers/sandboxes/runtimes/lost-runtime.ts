import type { ListedRuntime } from './runtime-directory.ts'

/**
 * Why a runtime counts as lost; null if it renews its lease and serves this installation. `listed` is
 * null without a registration.
 */
export function lostRuntime(
  name: string,
  listed: Pick<ListedRuntime, 'isLive' | 'machine' | 'refusal' | 'renewTime'> | null,
): string | null {
  if (listed === null) return `The runtime "${name}" is no longer registered`
  if (listed.isLive) return null
  const machine = listed.machine === '' ? '' : ` on the machine "${listed.machine}"`
  if (listed.refusal !== null) {
    return `The runtime "${name}"${machine} rejects this server: ${listed.refusal}`
  }
  const since = listed.renewTime === '' ? '' : ` since ${listed.renewTime.slice(0, 19)}Z`
  return `The runtime "${name}"${machine} has not renewed its lease${since}`
}
