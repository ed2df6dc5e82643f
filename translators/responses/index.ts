import type { Dialect } from '../dialect.js';
import { count } from './edge/count.js';
import { decodeError, encodeError } from './edge/errors.js';
import { requestFields } from './edge/fields.js';
import { decodeLimits, encodeLimits } from './edge/limits.js';
import { models } from './edge/models.js';
import { relayedEnd, relayedFacts } from './edge/relayed.js';
import { foreignMarks, withholdState } from './edge/withhold.js';
import { DIALECT } from './nodes.js';
import { profile } from './profile.js';
import { decodeRequest } from './request/decode.js';
import { encodeRequest } from './request/encode.js';
import { decodeResponse } from './response/decode.js';
import { encodeResponse } from './response/encode.js';
import { rules } from './rules.js';
import { schemaFields } from './schema/encode.js';
import { fitHost } from './servers/index.js';
import { createStreamDecoder } from './stream/decode.js';
import { createStreamEncoder } from './stream/encode.js';

/** The OpenAI-style dialect: `/v1/responses` (protocols/responses.md). */
export const responses: Dialect = {
  id: DIALECT,
  bodyKeys: ['input', 'instructions', 'previous_response_id'],
  requestFields,
  schemaFields,
  mediaPath: ({ src, class: kind }) => (kind === 'image' && src?.at?.data === undefined ? '/image_url' : '/file_data'),
  rules,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  createStreamDecoder,
  createStreamEncoder,
  decodeError,
  encodeError,
  decodeLimits,
  encodeLimits,
  count,
  models,
  profile,
  endpoint: (operation) => PATHS[operation],
  relayedEnd,
  relayedFacts,
  isTerminal,
  withholdState,
  fitHost,
  foreignMarks,
};

const PATHS = { create: '/v1/responses', count: '/v1/responses/input_tokens', models: '/v1/models' } as const;

const TERMINAL = /^(?:response\.(?:completed|incomplete|failed)|error)$/;

/** Some hosts leave the `event:` line out; then only the data tells [R §5.1 rule 1]. */
function isTerminal(event: string, data: string): boolean {
  if (event !== '') return TERMINAL.test(event);
  const type = /"type"\s*:\s*"(response\.(?:completed|incomplete|failed)|error)"/.exec(data)?.[1];
  return type !== undefined && TERMINAL.test(topLevelType(data));
}

function topLevelType(data: string): string {
  try {
    const event: unknown = JSON.parse(data);
    const type: unknown = typeof event === 'object' && event !== null ? Reflect.get(event, 'type') : undefined;
    return typeof type === 'string' ? type : '';
  } catch {
    return '';
  }
}
