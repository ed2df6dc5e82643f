import { lawTableOf } from '../../dialects/index.js';

export const readers = lawTableOf('read');
