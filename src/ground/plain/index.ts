export { andOthers } from './and-others.js';
export { type BatchLine, type BatchVendor, batchIdFault, batchLine, readBatchLine } from './batch-line.js';
export type { Cloud } from './cloud.js';
export { didYouMean } from './did-you-mean.js';
export { clientGone, Failure, finishOf, isUnforeseen, type ResponseHeaders, toCanonicalError } from './failure.js';
export { isObject } from './json.js';
export { jsonFault, type Place, placeOf } from './json-fault.js';
export { matchesName, starOf } from './pattern.js';
