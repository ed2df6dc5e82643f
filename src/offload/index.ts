export { createOffload, type OffloadOptions } from './offload.js';
export { createRoom, ROOM, type RoomSizes } from './room.js';
