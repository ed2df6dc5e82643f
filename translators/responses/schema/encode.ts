export { encodeStrictSchema, type StrictResult } from '../../schema/index.js';
