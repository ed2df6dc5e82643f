import { asksForMore } from '../../adapt/index.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { atHome, type BodyOf, elsewhere, group, type Members, member, own, required } from '../../wire/members.js';
import * as s from '../../wire/schema.js';
import { filled, isSpoken, toldElsewhere, type Unsent, unless } from '../../wire/unsent.js';
import { DIALECT, encodeCache, THREADLESS } from '../nodes.js';
import {
  anyList,
  anyObject,
  cacheControl,
  content,
  outputConfig,
  share,
  strings,
  thinkingConfig,
  toolChoice,
} from '../wire/index.js';
import { encodeAutoCache } from './cache.js';
import {
  readCap,
  readMark,
  readUser,
  sendTemperature,
  sendTier,
  sendTopK,
  sendTopP,
  sendUser,
  withoutBlanks,
} from './settings.js';

const whole = s.whole('must be a whole number');

/** Every member of a request body [M §2.1]: where the model has it, and what it is for a request of another dialect. */
export const members = {
  model: elsewhere(s.string(s.minLength(1, 'must not be empty'), s.maxLength(256, 'must have at most 256 characters'))),
  max_tokens: atHome('maxOutput', s.number(whole, s.gte(0, 'must not be negative')), {
    read: readCap,
    native: 'max_tokens 0 warms the prompt cache, which the backend cannot do',
  }),
  messages: required(anyList, { place: 'turns' }),
  system: elsewhere(content),
  temperature: member('sampling.temperature', share, { send: sendTemperature, tunes: {} }),
  top_p: member('sampling.topP', share, { send: sendTopP, tunes: {} }),
  top_k: member('sampling.topK', s.number(whole, s.gt(0, 'must be greater than 0')), {
    send: sendTopK,
    tunes: {},
  }),
  stop_sequences: member('stop', strings, { send: withoutBlanks }),
  metadata: group(
    {
      user_id: member('user', s.string(s.maxLength(256, 'must have at most 256 characters')), {
        read: readUser,
        send: sendUser,
      }),
    },
    { place: 'metadata' },
  ),
  tools: elsewhere(anyList, { place: 'tools' }),
  tool_choice: elsewhere(toolChoice),
  thinking: elsewhere(thinkingConfig),
  output_config: elsewhere(outputConfig, { rare: true }),
  output_format: elsewhere(anyObject, { rare: true, beta: 'structured-outputs-' }),
  service_tier: member('tier', s.string(), {
    read: (value) => ({ dialect: DIALECT, value }),
    write: ({ value }) => value,
    send: sendTier,
    rare: true,
  }),
  cache_control: member('cache', cacheControl, {
    covers: ['cache.auto', 'cache.ttl'],
    read: readMark,
    write: (cache) => (cache.auto === true ? encodeCache(cache) : undefined),
    send: encodeAutoCache,
    counts: true,
    rare: true,
  }),
  mcp_servers: elsewhere(s.array(anyObject), { place: 'mcp', rare: true, beta: 'mcp-client-' }),
  stream: member('stream', s.boolean(), {
    write: (streams, { at }) => (streams || at?.stream !== undefined ? streams : undefined),
    send: (streams) => streams || undefined,
  }),
  container: own({ counts: false }),
  inference_geo: own({ counts: false }),
  diagnostics: own({ counts: false }),
  context_management: own({ beta: 'context-management-' }),
  compaction: own({ beta: 'compact-' }),
  speed: own({ beta: 'fast-mode-', neutral: 'standard' }),
  fallbacks: own({ beta: 'server-side-fallback-' }),
  fallback_credit_token: own({
    beta: 'fallback-credit-',
    native: 'fallback credits can only be spent with the service that issued them',
  }),
  billing_policy: own({ native: 'a billing policy cannot be passed on to another service' }),
  thread: own({
    beta: 'message-threads-',
    native: 'threads are not supported; send the full conversation',
    code: THREADLESS,
  }),
} satisfies Members;

/** A request as its table types it. */
export type Request = BodyOf<typeof members>;

const isTextless = (media: readonly string[]): boolean => media.length > 0 && !media.includes('text');

/** What becomes of fields of the model that have no member here, or one of this dialect alone. */
export const unsent: Unsent<typeof members> = {
  'sampling.seed': 'seeds are not supported',
  'sampling.presencePenalty': unless(0, 'penalties are not supported'),
  'sampling.frequencyPenalty': unless(0, 'penalties are not supported'),
  candidates: { when: (count) => count > 1, refuses: true, detail: 'the backend returns one answer per call' },
  maxOutput: toldElsewhere,
  maxToolCalls: toldElsewhere,
  logprobs: 'log probabilities are not supported',
  verbosity: unless('medium', 'verbosity is not supported'),
  modalities: [
    { when: (media) => isSpoken(media) || isTextless(media), refuses: true, detail: 'the backend produces text only' },
    { when: (media) => media.length > 1, detail: 'the service produces text only' },
  ],
  image: 'the service does not generate images',
  speech: 'the service does not generate speech',
  mediaResolution: 'the resolution of media cannot be chosen',
  safety: filled('thresholds of content filters are not supported'),
  'cache.key': 'the service has no cache keys',
  'cache.resource': { refuses: true, detail: 'a cached prompt of another service is unknown to this backend' },
  metadata: filled('metadata is not supported'),
  truncate: {
    when: (truncates, _request, { truncates: isDone }: EncodeRequestContext) => truncates && isDone !== true,
    detail: 'the service does not truncate input',
  },
  include: {
    when: (_include, request: CanonicalRequest) => asksForMore(request),
    detail: 'the service does not provide this detail',
  },
};
