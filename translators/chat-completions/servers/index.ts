export { FAMILIES, KNOWN_SERVER, UNKNOWN_PROFILE, UNKNOWN_SERVER } from './models.js';
export { fitMembers } from './own.js';
export { withResultsOfText } from './results.js';
