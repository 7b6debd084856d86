/** The plane at the root of the server. */
export const ROOT_PLANE = 'root'
