export { COLUMNS, csvOf, FIGURES, plainNumber } from './csv.js';
export { GROUPS, type Group, type Period, periodOf } from './period.js';
export { createTalliesAnswerer, createWorkerTallies } from './primary.js';
export { type Figures, readUsage, type UsageReport, type UsageRow } from './report.js';
export { createUsage, type Usage } from './usage.js';
