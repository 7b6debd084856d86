import { readFile } from 'node:fs/promises'

/** The id of the current boot of this machine: it differs after a reboot. */
export async function readBootId(): Promise<string> {
  return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()
}
