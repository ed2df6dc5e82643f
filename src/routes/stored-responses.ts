import { cancel, listInput, remove, retrieve } from '../conversations/index.js';
import { belowVersion } from '../protocol/index.js';
import { type Route, segmentOf } from './route.js';

const ONE = belowVersion(String.raw`responses\/([^/]+)`);
const INPUT = belowVersion(String.raw`responses\/([^/]+)\/input_items`);
const CANCEL = belowVersion(String.raw`responses\/([^/]+)\/cancel`);

/** Answers that are kept: shown, listed, cancelled, forgotten. */
export const storedResponseRoutes: readonly Route[] = [
  {
    methods: ['GET', 'DELETE'],
    path: '/v1/responses/{id}',
    pattern: ONE,
    reads: true,
    answer: (gateway, call) =>
      call.request.method === 'DELETE'
        ? remove(gateway, call, segmentOf(call, ONE))
        : retrieve(gateway, call, segmentOf(call, ONE)),
  },
  {
    methods: ['GET'],
    path: '/v1/responses/{id}/input_items',
    pattern: INPUT,
    reads: true,
    answer: (gateway, call) => listInput(gateway, call, segmentOf(call, INPUT)),
  },
  {
    methods: ['POST'],
    path: '/v1/responses/{id}/cancel',
    pattern: CANCEL,
    answer: (gateway, call) => cancel(gateway, call, segmentOf(call, CANCEL)),
  },
];
