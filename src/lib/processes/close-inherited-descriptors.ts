import { closeSync, readdirSync, readFileSync } from 'node:fs'

const FIRST = 3
const CLOSE_ON_EXEC = 0o2000000

/**
 * Closes the descriptors that the parent of this process has left open, so that its children do not
 * inherit them. Node opens its descriptors with close-on-exec. Call it before anything else.
 */
export function closeInheritedDescriptors(): void {
  if (process.platform !== 'linux') return
  for (const name of readdirSync('/proc/self/fd')) {
    const fd = Number(name)
    if (fd >= FIRST && isInherited(fd)) closeSync(fd)
  }
}

function isInherited(fd: number): boolean {
  try {
    const flags = /^flags:\s+(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1]
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0
  } catch {
    // The descriptor of the directory listing is closed already.
    return false
  }
}
