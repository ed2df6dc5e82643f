import type { DialectId } from '../../translators/index.js';
import { agentOpening } from '../support/agent-conversation.js';
import { MARK } from './fresh.js';
import type { LoadOrder } from './load.js';

/** What is sent: a small request with three tools, and what a coding agent begins with, of about 90 kB. */
const REQUESTS = {
  small: { tools: 3, system: 12 },
  agent: { tools: 24, system: 200 },
} as const;

/** What is sent, how often, and by how many clients at once. */
export interface Shape extends Pick<LoadOrder, 'count' | 'concurrency'> {
  readonly model: string;
  readonly request: keyof typeof REQUESTS;
  readonly stream: boolean;
  readonly stored: boolean;
}

/** The same request in each dialect; of each call the last turn differs. */
export function orderOf(
  url: string,
  dialect: DialectId,
  { model, request, stream, stored, ...amount }: Shape,
): LoadOrder {
  const { path, body } = agentOpening(dialect, REQUESTS[request], { model, stream, stored });
  const text = JSON.stringify(body).replace('Begin with', `${MARK}: begin with`);
  const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) };
  return { url: url + path, body: text, headers, ...amount };
}
