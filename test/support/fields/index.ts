import { lawTableOf } from '../../laws/dialects/index.js';

export const DOCUMENTED = lawTableOf('documentedFields');
