/** The code of a page could not be loaded: the server is away, or an upgrade has replaced it. */
export class PageLoadError extends Error {
  constructor(cause: unknown) {
    super('The server did not deliver the code of this page.', { cause })
    this.name = 'PageLoadError'
  }
}

/** Marks the failures of an import of code. */
export function pageCode<T>(load: () => Promise<T>): () => Promise<T> {
  return async () => {
    try {
      return await load()
    } catch (error) {
      throw new PageLoadError(error)
    }
  }
}
