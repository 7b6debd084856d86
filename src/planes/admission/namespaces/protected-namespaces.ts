import { objectForbidden } from '../../errors/failures.ts'
import type { AdmissionPlugin } from '../../model/admission.ts'
import { isNamespaceRequest } from '../matching/admission-subject.ts'

const PROTECTED: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public'])

/** Rejects the deletion of the namespaces that every plane needs. */
export const protectedNamespaces: AdmissionPlugin = {
  validate: async (request) => {
    const { operation, type, name, subresource } = request
    if (operation !== 'DELETE' || subresource !== '' || !isNamespaceRequest(request)) return
    if (PROTECTED.has(name)) {
      throw objectForbidden(type, name, 'this namespace may not be deleted')
    }
  },
}
