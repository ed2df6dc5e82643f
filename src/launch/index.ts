export { AGENTS, type Agent, agentNames } from './agents.js';
export { beatenFiles } from './beaten.js';
export { checkAgent } from './check.js';
export { figuresAt, figuresBetween, inOneLine } from './figures.js';
export { attach, placeOf } from './gateway.js';
export { knownModels, leads } from './models.js';
export { printFor, SHELLS, type Shell } from './print.js';
export { runAgent } from './run.js';
export { createFolder, ownFolder, prepare } from './settings.js';
