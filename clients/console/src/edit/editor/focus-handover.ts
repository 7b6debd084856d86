/** Passes the focus from the plain editor to the rich one that replaces it. */
export interface FocusHandover {
  /** The selection of the plain editor if it had the focus. */
  selection: { readonly from: number; readonly to: number } | null
}
