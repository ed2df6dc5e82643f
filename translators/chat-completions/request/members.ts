import { asksForMore, cacheOptionsOf, readRetention, retentionOf } from '../../adapt/index.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { atHome, type BodyOf, elsewhere, type Members, member, required } from '../../wire/members.js';
import * as s from '../../wire/schema.js';
import { filled, isSpoken, toldElsewhere, type Unsent } from '../../wire/unsent.js';
import { check, DIALECT } from '../nodes.js';
import { anyList, metadata, object, positive, toolList, wordOrObject } from '../wire/index.js';
import {
  capIn,
  keyOfPrompt,
  readModalities,
  readOlderCap,
  readOptions,
  readSafetyId,
  readStop,
  readTopLogprobs,
  readUser,
  sampled,
  sendCacheKey,
  sendCacheOptions,
  sendLogprobs,
  sendMetadata,
  sendRetention,
  sendStop,
  sendStream,
  sendTier,
  sendTopLogprobs,
  sendUser,
  sendVerbosity,
} from './settings.js';

const penalty = s.number(s.gte(-2), s.lte(2));
const word = s.string();
const cacheLife = { covers: ['cache.auto', 'cache.ttl'], feature: 'cache.ttl' } as const;

/** Every member of a request body [H §2.1, §2.2]: where the model has it, and what it is for a request of another dialect. */
export const members = {
  model: elsewhere(word),
  messages: required(anyList, { place: 'turns' }),
  stream: member('stream', s.boolean(), {
    write: (streams, { at }) => (streams || at?.stream !== undefined ? streams : undefined),
    send: sendStream,
  }),
  stream_options: elsewhere(object),
  // Servers hear only one of the two [H §2.2].
  max_completion_tokens: member('maxOutput', positive, {
    write: (cap, { at }) => (at?.maxOutput === '/max_tokens' ? undefined : cap),
    send: capIn('max_completion_tokens'),
    tunes: { otherName: 'max_tokens' },
  }),
  max_tokens: member('maxOutput', positive, {
    read: readOlderCap,
    write: (cap, { at }) => (at?.maxOutput === '/max_tokens' ? cap : undefined),
    send: capIn('max_tokens'),
    tunes: { otherName: 'max_completion_tokens' },
  }),
  stop: member('stop', s.union([word, s.array(word)], 'expected a string or a list of strings'), {
    read: readStop,
    send: sendStop,
  }),
  temperature: member('sampling.temperature', s.number(s.gte(0), s.lte(2)), {
    send: sampled('temperature'),
    tunes: {},
  }),
  top_p: member('sampling.topP', s.number(s.gte(0), s.lte(1)), { send: sampled('topP'), tunes: {} }),
  top_k: member('sampling.topK', s.number(), { send: sampled('topK'), tunes: {} }),
  seed: member('sampling.seed', s.int(), {
    write: (seed, { at }) => (at?.['sampling.seed'] === '/random_seed' ? undefined : seed),
    send: sampled('seed', 'seed'),
    tunes: {},
  }),
  random_seed: member('sampling.seed', s.int(), {
    read: (seed, { out }) => (out.sampling?.seed === undefined ? seed : undefined),
    write: (seed, { at }) => (at?.['sampling.seed'] === '/random_seed' ? seed : undefined),
    send: sampled('seed', 'random_seed'),
    tunes: {},
  }),
  presence_penalty: member('sampling.presencePenalty', penalty, { send: sampled('presencePenalty'), tunes: {} }),
  frequency_penalty: member('sampling.frequencyPenalty', penalty, { send: sampled('frequencyPenalty'), tunes: {} }),
  logprobs: member('logprobs', s.boolean(), {
    read: (wanted) => (wanted ? {} : undefined),
    write: () => true,
    send: sendLogprobs,
  }),
  top_logprobs: member('logprobs', s.int(s.gte(0), s.lte(20)), {
    read: readTopLogprobs,
    write: ({ top }) => top,
    send: sendTopLogprobs,
  }),
  n: atHome('candidates', positive),
  modalities: atHome('modalities', s.array(word), { read: readModalities, write: () => undefined }),
  tools: elsewhere(toolList, { place: 'tools' }),
  tool_choice: elsewhere(wordOrObject),
  parallel_tool_calls: elsewhere(s.boolean(), { feature: 'toolChoice.parallel', tunes: {} }),
  functions: elsewhere(toolList),
  function_call: elsewhere(wordOrObject),
  web_search_options: elsewhere(object),
  response_format: elsewhere(object),
  reasoning_effort: elsewhere(s.union([word, s.number()]), { feature: 'reasoning.effort', tunes: {} }),
  reasoning: elsewhere(object),
  thinking: elsewhere(object),
  enable_thinking: elsewhere(s.boolean()),
  thinking_budget: elsewhere(s.number()),
  chat_template_kwargs: elsewhere(object),
  extra_body: elsewhere(object),
  store: elsewhere(s.boolean()),
  safety_identifier: member('user', word, {
    read: readSafetyId,
    write: (user, { at }) => (at?.user === '/user' ? undefined : user),
    send: sendUser,
    tunes: {},
  }),
  user: atHome('user', word, { read: readUser, write: (user, { at }) => (at?.user === '/user' ? user : undefined) }),
  metadata: member('metadata', object, {
    read: (labels) => check(metadata, labels, '/metadata'),
    send: sendMetadata,
    tunes: {},
  }),
  verbosity: member('verbosity', word, { read: (value) => value || undefined, send: sendVerbosity, tunes: {} }),
  prompt_cache_key: member('cache.key', word, {
    read: (key) => key || undefined,
    send: sendCacheKey,
    absent: keyOfPrompt,
    tunes: {},
  }),
  prompt_cache_retention: member('cache', word, {
    ...cacheLife,
    read: readRetention,
    write: retentionOf,
    send: sendRetention,
  }),
  prompt_cache_options: member('cache', object, {
    ...cacheLife,
    read: readOptions,
    write: cacheOptionsOf,
    send: sendCacheOptions,
  }),
  service_tier: member('tier', word, {
    read: (value) => (value === '' ? undefined : { dialect: DIALECT, value }),
    write: ({ value }) => value,
    send: sendTier,
    tunes: {},
  }),
  // Marks of two servers for a last message that the model continues [H §2.2].
  continue_final_message: elsewhere(s.boolean()),
  add_generation_prompt: elsewhere(s.boolean()),
} satisfies Members;

/** A request as its table types it. */
export type Request = BodyOf<typeof members>;

/** What becomes of fields of the model that have no member here, or one of this dialect alone. */
export const unsent: Unsent<typeof members> = {
  candidates: { when: (count) => count > 1, refuses: true, detail: 'the target returns one answer only' },
  modalities: [
    {
      when: isSpoken,
      refuses: true,
      detail: 'the target produces text and images only',
    },
    { when: (media) => media.includes('image'), detail: 'the server does not generate images' },
  ],
  'cache.resource': { refuses: true, detail: 'a cached prompt of another service cannot be used' },
  maxToolCalls: {
    // Without tools of a service there is nothing to cap (translation.md 0.8).
    when: (_cap, { tools }) => tools.some(({ kind }) => kind === 'hosted'),
    detail: 'calls of such tools cannot be capped',
  },
  image: 'the server does not generate images',
  speech: 'the target cannot produce audio',
  mediaResolution: toldElsewhere,
  safety: filled('content filters cannot be configured'),
  truncate: {
    when: (truncates, _request, { truncates: isDone }: EncodeRequestContext) => truncates && isDone !== true,
    detail: 'input is not truncated',
  },
  include: { when: (_include, request) => asksForMore(request), detail: 'the server does not provide this detail' },
};
