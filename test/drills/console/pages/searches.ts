/** Finds all production clusters that are not ready. */
export const NOT_READY_SEARCH =
  "labels.environment = 'production' and status.conditions.Ready = 'False'"
