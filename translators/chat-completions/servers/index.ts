export { serverFlags, UNKNOWN_SERVER } from './flags.js';
export { FAMILIES, KNOWN_SERVER, UNKNOWN_PROFILE } from './models.js';
export { fitMembers } from './own.js';
export { withResultsOfText } from './results.js';
