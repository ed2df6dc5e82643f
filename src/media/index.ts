export { partOf, rangeHeaders } from './byte-range.js';
export { serveImages } from './images.js';
export { createMedia, type Media } from './parts.js';
export type { MediaServices } from './services.js';
export { sendVideo } from './video-content.js';
export { createVideoKey, type VideoKey } from './video-key.js';
export { listVideos } from './video-list.js';
export { remixVideo, removeVideo, retrieveVideo } from './video-tasks.js';
export { createVideo } from './videos.js';
