/** The path of the HyperFleet API. */
export const API_PATH = '/api/hyperfleet'
/** The path of its version, with which every `href` starts. */
export const BASE_PATH = '/api/hyperfleet/v1'
