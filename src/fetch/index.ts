/** `interlingua/fetch`: a `fetch` for any SDK that calls a service of another dialect. */
export { createFetch } from './create-fetch.js';
export type { FetchCall, FetchOptions } from './options.js';
