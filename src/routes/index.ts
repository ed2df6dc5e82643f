import { generateContentRoutes } from './generate-content.js';
import { messagesRoutes } from './messages.js';
import { modelRoutes } from './models.js';
import { operationRoutes } from './operations.js';
import { responsesRoutes } from './responses.js';
import type { Route } from './route.js';

export type { Route } from './route.js';

/** The whole HTTP surface. */
export const routes: readonly Route[] = [
  ...messagesRoutes,
  ...responsesRoutes,
  ...generateContentRoutes,
  ...modelRoutes,
  ...operationRoutes,
];
