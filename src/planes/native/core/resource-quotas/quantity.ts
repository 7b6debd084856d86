const PATTERN = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3}|[KMGTPE]i|[numkMGTPE])?$/

/** Whether the text is a quantity, such as `10`, `500m` or `1Gi`. */
export function isQuantity(text: string): boolean {
  return text.length <= 64 && PATTERN.test(text)
}

/** Whether the quantity is a whole number of units that is not negative. */
export function isCount(text: string): boolean {
  return /^\+?\d+(?:\.0*)?(?:[kMGTPE]|[KMGTPE]i|[eE]\+?\d{1,3})?$/.test(text)
}
