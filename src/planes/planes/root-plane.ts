import { tenantOfPlane } from '../../access/tenant-plane.ts'

/** The plane at the root of the server. */
export const ROOT_PLANE = 'root'

/** Whether a plane is the root of the server or of a tenant. */
export function isRootPlane(plane: string): boolean {
  return plane === ROOT_PLANE || tenantOfPlane(plane) !== null
}
