/** The path of the HyperFleet API. Every `href` starts with the path of the version. */
export const API_PATH = '/api/hyperfleet'
export const BASE_PATH = `${API_PATH}/v1`
