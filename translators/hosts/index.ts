export { CALLED_HOSTS, CHAT_SERVERS } from './known.data.js';
export { type CalledHost, type HostEndpoint, type HostRow, onDemand, type ServerRow } from './row.js';
export { serversOf } from './servers.js';
export { HOSTS } from './table.js';
