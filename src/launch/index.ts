export { AGENTS, type Agent, agentNames } from './agents.js';
export { beatenFiles } from './beaten.js';
export { type CheckReport, checkAgent } from './check.js';
export { type Figures, figuresAt, figuresBetween, inOneLine } from './figures.js';
export { type Attached, attach, placeOf } from './gateway.js';
export { knownModels, leads } from './models.js';
export { printFor, SHELLS, type Shell } from './print.js';
export { runAgent } from './run.js';
export { createFolder, type Folder, ownFolder, type Prepared, prepare } from './settings.js';
