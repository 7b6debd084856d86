/** The largest number of items in a page of a list. */
export const MAX_PAGE_SIZE = 1000
