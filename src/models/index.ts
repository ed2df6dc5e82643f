export { type Catalog, createCatalog } from './catalog.js';
export { createModels, type Models, type ToldByBackend, windowOfServer } from './facts.js';
export { createModelStates, type Learned, MODELS_SUBJECT, type ModelStates, targetState } from './states.js';
export { type FactsOf, linesOfModels, type ModelRow, modelTable } from './table.js';
