export { type Blobs, createBlobs } from './blobs.js';
export { checkAll } from './check-all.js';
export { decodeDataUrl } from './data-url.js';
export { beginDownload } from './download.js';
export { createFetcher, type Fetched, type Fetcher } from './fetch.js';
export { fetchAll } from './fetch-all.js';
export { createGuard, type Guard } from './guard.js';
export { factsOf, headOf, mimeOfBase64, readPicture } from './picture.js';
