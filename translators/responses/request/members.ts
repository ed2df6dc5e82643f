import { cacheOptionsOf, readRetention, retentionOf } from '../../adapt/index.js';
import { added, atHome, type BodyOf, elsewhere, group, type Members, member } from '../../wire/members.js';
import * as s from '../../wire/schema.js';
import { filled, isSpoken, toldElsewhere, type Unsent } from '../../wire/unsent.js';
import { check, DIALECT } from '../nodes.js';
import { looseObject, metadata, stringOrList } from '../wire/index.js';
import {
  keyOfPrompt,
  LOGPROBS,
  readConversation,
  readInclude,
  readOptions,
  readTruncation,
  sendAdded,
  sendCacheKey,
  sendCacheOptions,
  sendCap,
  sendId,
  sendLogprobs,
  sendRetention,
  sendStop,
  sendTemperature,
  sendTier,
  sendTopP,
  sendTruncation,
} from './settings.js';

const word = s.string();
const flag = s.boolean();
const said = (text: string): string | undefined => text || undefined;
const cacheLife = { covers: ['cache.auto', 'cache.ttl'], feature: 'cache.ttl', rare: true } as const;

/** Every member of a create body [R §2.1]: where the model has it, and what it is for a request of another dialect. */
export const members = {
  model: elsewhere(word),
  instructions: elsewhere(word),
  input: elsewhere(stringOrList, { place: 'turns' }),
  tools: elsewhere(s.array(looseObject)),
  tool_choice: elsewhere(s.union([word, looseObject], 'expected a word or an object')),
  parallel_tool_calls: elsewhere(flag, { feature: 'toolChoice.parallel', place: 'toolChoice.parallel', tunes: {} }),
  text: group(
    { format: elsewhere(looseObject), verbosity: member('verbosity', word, { tunes: {} }) },
    { expected: 'expected an object', counts: true },
  ),
  reasoning: elsewhere(looseObject, { feature: 'reasoning.show', tunes: { within: 'summary' } }),
  temperature: member('sampling.temperature', s.number(s.gte(0), s.lte(2)), {
    send: sendTemperature,
    tunes: {},
  }),
  top_p: member('sampling.topP', s.number(s.gte(0), s.lte(1)), { send: sendTopP, tunes: {} }),
  top_k: added('sampling.topK', sendAdded('topK', 0)),
  seed: added('sampling.seed', sendAdded('seed')),
  presence_penalty: added('sampling.presencePenalty', sendAdded('penalties', 0)),
  frequency_penalty: added('sampling.frequencyPenalty', sendAdded('penalties', 0)),
  stop: added('stop', sendStop),
  max_output_tokens: member('maxOutput', s.int(s.gte(1)), { send: sendCap }),
  max_tool_calls: member('maxToolCalls', s.int(s.gte(0))),
  top_logprobs: member('logprobs', s.int(s.gte(0), s.lte(20)), {
    read: (top) => ({ top }),
    write: ({ top }) => top,
    send: sendLogprobs,
    tunes: { word: { list: 'include', word: LOGPROBS } },
    rare: true,
  }),
  user: atHome('user', word, { write: (user, { at }) => (at?.user === '/user' ? user : undefined) }),
  safety_identifier: member('user', word, {
    read: (id, { out, bag }) => {
      if (out.user && id) bag.user = out.user;
      return id;
    },
    write: (user, { at }) => (at?.user === '/user' ? undefined : user),
    send: sendId,
    tunes: {},
    rare: true,
  }),
  prompt_cache_key: member('cache.key', word, {
    read: said,
    send: sendCacheKey,
    absent: keyOfPrompt,
    tunes: {},
    rare: true,
  }),
  prompt_cache_retention: member('cache', word, {
    ...cacheLife,
    read: readRetention,
    write: retentionOf,
    send: sendRetention,
  }),
  prompt_cache_options: member('cache', looseObject, {
    ...cacheLife,
    read: readOptions,
    write: cacheOptionsOf,
    send: sendCacheOptions,
  }),
  metadata: member('metadata', looseObject, { read: (labels) => check(metadata, labels, '/metadata') }),
  service_tier: member('tier', word, {
    read: (value) => (value === '' ? undefined : { dialect: DIALECT, value }),
    write: ({ value }) => value,
    send: sendTier,
    tunes: {},
    rare: true,
  }),
  include: atHome('include', s.array(word), { read: readInclude }),
  truncation: member('truncate', word, {
    read: readTruncation,
    write: (truncates) => (truncates ? 'auto' : 'disabled'),
    send: sendTruncation,
    counts: true,
  }),
  store: atHome('state.store', flag),
  background: atHome('state.background', flag, { rare: true }),
  previous_response_id: atHome('state.previousId', word, { read: said, counts: true }),
  conversation: atHome('state.conversation', s.union([word, looseObject], 'expected an id or an object'), {
    read: readConversation,
    counts: true,
    rare: true,
  }),
  prompt: atHome('state.template', looseObject, { rare: true }),
  stream: elsewhere(flag, { counts: false }),
  stream_options: elsewhere(looseObject, { counts: false, rare: true }),
} satisfies Members;

/** A create body as its table types it. */
export type Request = BodyOf<typeof members>;

/** What becomes of fields of the model that have no member here, or one of this dialect alone. */
export const unsent: Unsent<typeof members> = {
  candidates: { when: (count) => count > 1, refuses: true, detail: 'the target returns one answer only' },
  'cache.resource': { refuses: true, detail: 'a cached prompt of another service cannot be used' },
  modalities: {
    when: isSpoken,
    refuses: true,
    detail: 'the target produces text and images only',
  },
  image: toldElsewhere,
  include: toldElsewhere,
  mediaResolution: toldElsewhere,
  speech: 'the target cannot produce audio',
  safety: filled('content filters cannot be configured'),
};
