import { createVideo, listVideos, remixVideo, removeVideo, retrieveVideo, sendVideo } from '../media/index.js';
import { belowVersion } from '../protocol/index.js';
import { type Route, segmentOf } from './route.js';

const ONE = belowVersion(String.raw`videos\/([^/]+)`);
const CONTENT = belowVersion(String.raw`videos\/([^/]+)\/content`);
const REMIX = belowVersion(String.raw`videos\/([^/]+)\/remix`);
const TASK = belowVersion(String.raw`video\/generations\/([^/]+)`);

/** Routes of the service that have a word in the place of an id (media.md 1.6). None of them is served here. */
const LITERALS: ReadonlySet<string> = new Set(['edits', 'extensions', 'characters']);

/** The video routes: tasks in two formats, and the files that come of them. */
export const videoRoutes: readonly Route[] = [
  {
    methods: ['POST', 'GET'],
    path: '/v1/videos',
    pattern: belowVersion('videos'),
    counts: 'request',
    serve: async (gateway, call) => {
      if (call.request.method === 'POST') return createVideo(gateway, call);
      await listVideos(gateway, call);
      return 'answered';
    },
  },
  {
    methods: ['GET', 'DELETE'],
    path: '/v1/videos/{id}',
    pattern: ONE,
    excludes: (call) => LITERALS.has(segmentOf(call, ONE)),
    answer: (gateway, call) =>
      call.request.method === 'DELETE'
        ? removeVideo(gateway, call, segmentOf(call, ONE))
        : retrieveVideo(gateway, call, segmentOf(call, ONE)),
  },
  {
    methods: ['GET', 'HEAD'],
    path: '/v1/videos/{id}/content',
    pattern: CONTENT,
    answer: (gateway, call) => sendVideo(gateway, call, segmentOf(call, CONTENT)),
  },
  {
    methods: ['POST'],
    path: '/v1/videos/{id}/remix',
    pattern: REMIX,
    counts: 'request',
    serve: (gateway, call) => remixVideo(gateway, call, segmentOf(call, REMIX)),
  },
  {
    methods: ['POST'],
    path: '/v1/video/generations',
    pattern: belowVersion(String.raw`video\/generations`),
    counts: 'request',
    serve: createVideo,
  },
  {
    methods: ['GET'],
    path: '/v1/video/generations/{task_id}',
    pattern: TASK,
    answer: (gateway, call) => retrieveVideo(gateway, call, segmentOf(call, TASK)),
  },
];
