/** Where the HyperFleet API lives; `href`s begin with the version's path. */
export const API_PATH = '/api/hyperfleet'
export const BASE_PATH = `${API_PATH}/v1`
