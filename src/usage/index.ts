export { COLUMNS, csvOf, FIGURES } from './csv.js';
export { GROUPS, type Period, periodOf } from './period.js';
export { createTalliesAnswerer, createWorkerTallies, SUBJECTS } from './primary.js';
export { type Figures, readUsage, type UsageReport } from './report.js';
export { createUsage, type Usage } from './usage.js';
