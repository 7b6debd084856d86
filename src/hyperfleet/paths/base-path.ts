import { HREF_BASE } from '../../store/registry/href.ts'

/** The path of the HyperFleet API. */
export const API_PATH = '/api/hyperfleet'
/** The path of its version, with which every `href` starts. */
export const BASE_PATH = HREF_BASE
