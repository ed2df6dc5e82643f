import { chatCompletionsRoutes } from './chat-completions.js';
import { generateContentRoutes } from './generate-content.js';
import { imageRoutes } from './images.js';
import { liveRoutes } from './live.js';
import { mediaRoutes } from './media.js';
import { messagesRoutes } from './messages.js';
import { modelRoutes } from './models.js';
import { openapiRoute } from './openapi-route.js';
import { operationRoutes } from './operations.js';
import { passthroughRoutes } from './passthrough.js';
import { playgroundRoutes } from './playground.js';
import { responsesRoutes } from './responses.js';
import type { Route } from './route.js';
import { storedResponseRoutes } from './stored-responses.js';
import { usageRoutes } from './usage.js';
import { videoRoutes } from './videos.js';

export { findRoute, type Route, serveRoute } from './route.js';

/** What is described. */
const described: readonly Route[] = [
  ...messagesRoutes,
  ...responsesRoutes,
  ...storedResponseRoutes,
  ...chatCompletionsRoutes,
  ...generateContentRoutes,
  ...imageRoutes,
  ...videoRoutes,
  ...mediaRoutes,
  ...passthroughRoutes,
  ...modelRoutes,
  ...usageRoutes,
  ...operationRoutes,
  ...liveRoutes,
  ...playgroundRoutes,
];

/** The whole HTTP surface. */
export const routes: readonly Route[] = [...described, openapiRoute(described)];
