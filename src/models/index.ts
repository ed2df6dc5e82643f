export { type Catalog, createCatalog } from './catalog.js';
export { createModels, type ModelFacts, type Models, type ToldByBackend } from './facts.js';
