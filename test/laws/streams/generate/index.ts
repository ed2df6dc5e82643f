import { lawTableOf } from '../../dialects/index.js';

export const streamsOf = lawTableOf('streams');
