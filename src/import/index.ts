export { ImportError, type Imported, importConfig, SOURCES, type SourceName } from './import.js';
export { lineOf } from './print.js';
