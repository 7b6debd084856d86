/**
 * Whether a Node version is in a range such as `^20.19.0 || >=24.0.0`. It runs before packages are
 * installed, so it supports only these two operators.
 * @param {string} version
 * @param {string} range
 */
export function isSupportedNode(version, range) {
  return range.split(' || ').some((alternative) => {
    const lowest = lowestOf(alternative)
    if (compare(version, lowest) < 0) return false
    return !alternative.startsWith('^') || major(version) === major(lowest)
  })
}

/**
 * Whether a Node version is older than every version in a range.
 * @param {string} version
 * @param {string} range
 */
export function isTooOld(version, range) {
  return range.split(' || ').every((alternative) => compare(version, lowestOf(alternative)) < 0)
}

/** @param {string} alternative */
const lowestOf = (alternative) => alternative.replace(/^(\^|>=)/, '')

/** @param {string} version */
const major = (version) => version.split('.')[0]

/**
 * @param {string} left
 * @param {string} right
 */
const compare = (left, right) => left.localeCompare(right, 'en', { numeric: true })
