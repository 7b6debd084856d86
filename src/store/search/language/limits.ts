/** The limits of a search; characters are code points. */
export const LIMITS = Object.freeze({
  characters: 8192,
  levels: 512,
  comparisons: 128,
  listItems: 1000,
  likes: 8,
  patternCharacters: 128,
})
