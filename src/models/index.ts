export { type Catalog, createCatalog } from './catalog.js';
export { createModels, type Models, type ToldByBackend } from './facts.js';
