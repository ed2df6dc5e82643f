export { type Catalog, createCatalog } from './catalog.js';
export { createModels, type ModelFacts, type Models, type ToldByBackend, windowOfServer } from './facts.js';
