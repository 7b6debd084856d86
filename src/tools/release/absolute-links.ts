import path from 'node:path'

/** The links and images of Markdown that are neither absolute nor within the page. */
const RELATIVE_LINK = /\]\((?!\w+:|#)([^)\s]+)\)/g

/**
 * The page with links that work outside of the repository.
 * @param base The address of the source at one commit, without a slash at its end.
 * @param folder The folder of the page in the repository.
 */
export function withAbsoluteLinks(page: string, base: string, folder: string): string {
  return page.replaceAll(RELATIVE_LINK, (_, target: string) => {
    return `](${base}/${path.posix.join(folder, target)})`
  })
}
