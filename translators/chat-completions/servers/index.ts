export { FAMILIES, KNOWN_SERVER, UNKNOWN_PROFILE, UNKNOWN_SERVER } from './models.js';
export { fitMembers } from './own.js';
export { REFUSALS } from './refusals.js';
export { withResultsOfText } from './results.js';
