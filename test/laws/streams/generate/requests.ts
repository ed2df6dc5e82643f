import { lawTableOf } from '../../dialects/index.js';

export const OBJECT = { type: 'object', properties: { city: { type: 'string' } } };
export const ANY_ROOT = { anyOf: [{ type: 'object' }, { type: 'array' }] };
export const LIST = { type: 'array', items: { type: 'integer' } };

export const requestsOf = lawTableOf('streamRequests');

export const stoppingRequests = lawTableOf('stoppingRequest');
