export { createOffload, type OffloadOptions } from './offload.js';
export { createRoom } from './room.js';
