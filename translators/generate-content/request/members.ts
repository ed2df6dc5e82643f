import { asksForMore } from '../../adapt/index.js';
import { atHome, type BodyOf, elsewhere, type Members, member, own } from '../../wire/members.js';
import * as s from '../../wire/schema.js';
import { toldElsewhere, type Unsent, unless } from '../../wire/unsent.js';
import { decodeDetail, encodeDetail } from '../content/media.js';
import { DIALECT } from '../nodes.js';
import { items, list, struct, whole, word } from '../wire/index.js';
import {
  decodeImage,
  decodeSafety,
  decodeSpeech,
  encodeImage,
  encodeSafety,
  encodeSpeech,
  readModalities,
  sendImage,
  writeModalities,
} from './media-settings.js';
import {
  MAX_STOPS,
  readTopLogprobs,
  type Settled,
  sampled,
  sendCap,
  sendLabels,
  sendSeed,
  sendStop,
  sendTier,
  sendTopLogprobs,
} from './settings.js';

/** Every member of `generationConfig` ([G §2.6]): where the model has it, and what it is for a request of another dialect. */
export const config = {
  maxOutputTokens: member('maxOutput', whole(s.gte(1, 'must be at least 1')), { send: sendCap }),
  responseLogprobs: member('logprobs', s.boolean(), {
    read: (wanted) => (wanted ? {} : undefined),
    write: () => true,
    send: () => true,
  }),
  logprobs: member('logprobs', whole(), { read: readTopLogprobs, write: ({ top }) => top, send: sendTopLogprobs }),
  temperature: member('sampling.temperature', s.number(s.gte(0, 'must be at least 0'), s.lte(2, 'must be at most 2')), {
    send: sampled('temperature'),
    tunes: {},
  }),
  topP: member('sampling.topP', s.number(s.gte(0, 'must be at least 0'), s.lte(1, 'must be at most 1')), {
    send: sampled('topP'),
    tunes: {},
  }),
  topK: member('sampling.topK', whole(), { send: sampled('topK'), tunes: {} }),
  seed: member('sampling.seed', whole(), { send: sendSeed, tunes: {} }),
  presencePenalty: member('sampling.presencePenalty', s.number(), { send: sampled('presencePenalty'), tunes: {} }),
  frequencyPenalty: member('sampling.frequencyPenalty', s.number(), { send: sampled('frequencyPenalty'), tunes: {} }),
  candidateCount: member('candidates', whole(), { send: (count) => (count === 1 ? undefined : count) }),
  stopSequences: member('stop', s.array(s.string(), s.maxLength(MAX_STOPS, `must have at most ${MAX_STOPS} entries`)), {
    send: sendStop,
  }),
  responseMimeType: elsewhere(
    s.oneOf(['text/plain', 'application/json', 'text/x.enum'], 'expected text/plain, application/json or text/x.enum'),
  ),
  responseSchema: elsewhere(struct),
  responseJsonSchema: elsewhere(struct),
  _responseJsonSchema: elsewhere(struct),
  responseFormat: elsewhere(s.union([s.array(struct), struct])),
  responseModalities: member(
    'modalities',
    s.array(word('TEXT', 'IMAGE', 'AUDIO', 'VIDEO', 'DOCUMENT', 'MODALITY_UNSPECIFIED')),
    { read: readModalities, write: writeModalities, send: writeModalities },
  ),
  imageConfig: member('image', struct, { read: decodeImage, write: encodeImage, send: sendImage }),
  speechConfig: member('speech', struct, { read: decodeSpeech, write: encodeSpeech, send: encodeSpeech }),
  mediaResolution: member('mediaResolution', s.string(), {
    read: decodeDetail,
    write: encodeDetail,
    send: encodeDetail,
  }),
  thinkingConfig: elsewhere(struct),
  enableEnhancedCivicAnswers: own(),
  audioTimestamp: own(),
  routingConfig: own(),
  modelSelectionConfig: own(),
  audioTranscriptionConfig: own(),
  translationConfig: own(),
  enableAffectiveDialog: own(),
} satisfies Members;

/** The config as its table types it: its nulls were left out when it was opened. */
export type Config = { readonly [K in keyof BodyOf<typeof config>]: Exclude<BodyOf<typeof config>[K], null> };

/** The same of the body around it ([G §2.2]). */
export const members = {
  model: elsewhere(s.string(), { counts: false }),
  contents: elsewhere(items, { place: 'turns' }),
  systemInstruction: elsewhere(s.union([struct, s.string()])),
  tools: elsewhere(list),
  toolConfig: elsewhere(struct),
  safetySettings: member('safety', list, {
    read: decodeSafety,
    write: encodeSafety,
    send: encodeSafety,
  }),
  generationConfig: elsewhere(struct),
  cachedContent: member('cache.resource', s.string(), { counts: true }),
  serviceTier: member('tier', s.string(), {
    read: (value) => ({ dialect: DIALECT, value }),
    write: ({ value }) => value,
    send: sendTier,
  }),
  labels: member('metadata', s.record(s.string(), s.string()), { send: sendLabels }),
  continuationToken: atHome('state.continuation', s.string()),
  store: own({ counts: false }),
  modelArmorConfig: own({ counts: false }),
} satisfies Members;

/** What becomes of fields of the model that have no member here, or one of this dialect alone. */
export const unsent: Unsent<typeof members & typeof config> = {
  verbosity: unless('medium', 'not supported by the target'),
  maxToolCalls: {
    // Without tools of the service there is nothing to cap (translation.md 0.8).
    when: (_cap, _request, { tools }: Settled) => tools.hosted.length > 0 || tools.images,
    detail: 'the target has no such cap',
  },
  user: 'the target accepts no user id',
  truncate: {
    when: (truncates, _request, { truncates: isDone }: Settled) => truncates && isDone !== true,
    detail: 'the target never truncates input',
  },
  'cache.key': 'the target caches by itself',
  'cache.ttl': 'the target caches by itself',
  'cache.auto': toldElsewhere,
  include: { when: (_include, request) => asksForMore(request), detail: 'the target does not provide this detail' },
};
