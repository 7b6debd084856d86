/** A segment of a path that a kind's declaration names. */
export const PATH_SEGMENT = /^[a-z][a-z0-9_]*$/
export const SEGMENT_RULE = "must be lower-case letters, digits and '_', a letter first"
