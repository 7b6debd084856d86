/**
 * Whether the installed packages, as npm recorded them in node_modules/.package-lock.json, are those
 * of package-lock.json.
 * @typedef {{ version?: string, integrity?: string, link?: boolean, optional?: boolean,
 *   os?: string[], cpu?: string[], libc?: string[] }} Entry
 * @param {Record<string, Entry>} wanted
 * @param {Record<string, Entry>} installed
 * @param {{ platform: string, arch: string }} machine
 */
export function packagesMatch(wanted, installed, machine) {
  const extra = Object.keys(installed).some((place) => !Object.hasOwn(wanted, place))
  if (extra) return false
  return Object.entries(wanted).every(([place, entry]) => {
    if (place === '') return true
    const found = installed[place]
    if (found === undefined) return mayBeMissing(entry, machine)
    return found.version === entry.version && sameContent(found.integrity, entry.integrity)
  })
}

/**
 * @param {string | undefined} found
 * @param {string | undefined} wanted
 */
function sameContent(found, wanted) {
  return found === undefined || wanted === undefined || found === wanted
}

/**
 * npm skips optional packages for other machines and their dependencies. Optional packages for this
 * machine, such as the binaries of PostgreSQL and the compiler, must be installed.
 * @param {Entry} entry
 * @param {{ platform: string, arch: string }} machine
 */
function mayBeMissing(entry, { platform, arch }) {
  if (entry.optional !== true) return false
  if (entry.libc !== undefined || entry.os === undefined || entry.cpu === undefined) return true
  return !entry.os.includes(platform) || !entry.cpu.includes(arch)
}

/**
 * The folders of the packages that npm installs on a machine.
 * @param {Record<string, Entry>} wanted
 * @param {{ platform: string, arch: string }} machine
 */
export function placesFor(wanted, machine) {
  const entries = Object.entries(wanted).filter(([place]) => place !== '')
  return entries.filter(([, entry]) => !mayBeMissing(entry, machine)).map(([place]) => place)
}
