import { lawTableOf } from '../../dialects/index.js';

export const requestsOf = lawTableOf('streamRequests');

export const stoppingRequests = lawTableOf('stoppingRequest');
