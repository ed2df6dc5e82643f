import { serveImages } from '../media/index.js';
import { belowVersion } from '../protocol/index.js';
import type { Route } from './route.js';

/** The image routes: pictures from words, from pictures and words, and from a picture alone. */
export const imageRoutes: readonly Route[] = [
  {
    methods: ['POST'],
    path: '/v1/images/generations',
    pattern: belowVersion(String.raw`images\/generations`),
    counts: 'request',
    serve: (gateway, call) => serveImages(gateway, call, 'generate'),
  },
  {
    methods: ['POST'],
    path: '/v1/images/edits',
    pattern: belowVersion(String.raw`images\/edits`),
    counts: 'request',
    serve: (gateway, call) => serveImages(gateway, call, 'edit'),
  },
  {
    methods: ['POST'],
    path: '/v1/images/variations',
    pattern: belowVersion(String.raw`images\/variations`),
    counts: 'request',
    serve: (gateway, call) => serveImages(gateway, call, 'vary'),
  },
];
