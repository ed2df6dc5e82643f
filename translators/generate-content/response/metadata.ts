import { INSIDE } from '../../adapt/index.js';
import type { TextPart, TokenLogprob } from '../../canonical/content.js';
import type { Losses } from '../../canonical/loss.js';
import type { Extensions, JsonObject } from '../../canonical/node.js';
import { taken } from '../../wire/check.js';
import { isObject } from '../../wire/json.js';
import { utf8Length } from '../../wire/utf8.js';
import { put } from '../nodes.js';
import * as wire from '../wire/index.js';

/** Figures that change nothing in the answer; across dialects they are lost together (translation.md 0.8). */
const TELEMETRY = {
  body: ['modelStatus', 'promptFeedback', 'turnToken'],
  candidate: ['safetyRatings', 'avgLogprobs', 'tokenCount'],
  usage: [
    'promptTokensDetails',
    'candidatesTokensDetails',
    'cacheTokensDetails',
    'toolUsePromptTokensDetails',
    'trafficType',
    'billablePromptUsage',
    'initialPromptTokenCount',
  ],
  grounding: [
    'imageSearchQueries',
    'retrievalMetadata',
    'googleMapsWidgetContextToken',
    'retrievalQueries',
    'sourceFlaggingUris',
  ],
} as const;

/** Keys that the model has fields for. */
const KNOWN: ReadonlySet<string> = new Set([
  'candidates',
  'usageMetadata',
  'modelVersion',
  'responseId',
  'createTime',
  'content',
  'finishReason',
  'finishMessage',
  'index',
  'groundingMetadata',
  'citationMetadata',
  'urlContextMetadata',
  'urlRetrievalMetadata',
  'logprobsResult',
  ...TELEMETRY.body,
  ...TELEMETRY.candidate,
]);

/** What of an answer only this dialect knows: telemetry in one key, everything else under its own. */
export function metadataBag(body: JsonObject, candidate: JsonObject, content: JsonObject = {}): Extensions {
  const telemetry: JsonObject = {};
  take(telemetry, body, TELEMETRY.body);
  take(telemetry, candidate, TELEMETRY.candidate);
  take(telemetry, body.usageMetadata, TELEMETRY.usage);
  const bag = unknownIn(body) ?? {};
  const ofCandidate = unknownIn(candidate);
  const ofContent = unknownIn(content);
  if (ofCandidate !== undefined || ofContent !== undefined) {
    bag[INSIDE] = {
      ...(ofCandidate && { '/candidates/0': ofCandidate }),
      ...(ofContent && { '/candidates/0/content': ofContent }),
    };
  }
  const { groundingMetadata } = candidate;
  if (isObject(groundingMetadata)) {
    take(telemetry, groundingMetadata, TELEMETRY.grounding);
    const scores = confidenceScores(groundingMetadata);
    if (scores.length > 0) telemetry.confidenceScores = scores;
    const { searchEntryPoint: entry } = groundingMetadata;
    if (entry !== undefined) bag.searchEntryPoint = entry;
  }
  if (Object.keys(telemetry).length > 0) bag.telemetry = telemetry;
  return { generateContent: bag };
}

function take(telemetry: JsonObject, from: unknown, keys: readonly string[]): void {
  if (!isObject(from)) return;
  for (const key of keys) if (from[key] !== undefined) telemetry[key] = from[key];
}

/** The members of a node that the model has no field for; undefined when there are none. */
function unknownIn(node: JsonObject): JsonObject | undefined {
  let unknown: JsonObject | undefined;
  for (const key in node) {
    if (KNOWN.has(key)) continue;
    unknown ??= {};
    put(unknown, key, node[key]);
  }
  return unknown;
}

/** What of {@link metadataBag} stood where. */
export function bagsOf(ext: Extensions | undefined): Record<'body' | 'candidate' | 'content' | 'usage', JsonObject> {
  const {
    telemetry,
    searchEntryPoint: _entry,
    continuationToken,
    [INSIDE]: inside,
    ...body
  } = ext?.generateContent ?? {};
  const figures = objectOr(telemetry);
  const pick = (keys: readonly string[]): JsonObject =>
    Object.fromEntries(keys.filter((key) => figures[key] !== undefined).map((key) => [key, figures[key]]));
  return {
    body: { ...body, ...pick(TELEMETRY.body) },
    candidate: {
      ...pick(TELEMETRY.candidate),
      ...objectOr(objectOr(inside)['/candidates/0']),
      ...(continuationToken !== undefined && { continuationToken }),
    },
    content: objectOr(objectOr(inside)['/candidates/0/content']),
    usage: pick(TELEMETRY.usage),
  };
}

function objectOr(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** How sure the service is of its sources (translation.md 5.5). */
function confidenceScores(grounding: unknown): unknown[] {
  const supports: unknown = isObject(grounding) ? grounding.groundingSupports : undefined;
  return (Array.isArray(supports) ? supports : []).flatMap((support: unknown) =>
    isObject(support) && Array.isArray(support.confidenceScores) ? support.confidenceScores : [],
  );
}

/** Log probabilities of an answer ([G §5.3]); chosen and top candidates belong together by position. */
export function decodeLogprobs(value: unknown): TokenLogprob[] {
  const read = taken(wire.logprobsResult, value);
  if (read === undefined) return [];
  const { chosenCandidates, topCandidates } = read;
  return chosenCandidates.map(({ token, logProbability }, index) => ({
    token,
    logprob: logProbability,
    top: (topCandidates[index]?.candidates ?? []).map((top) => ({ token: top.token, logprob: top.logProbability })),
  }));
}

/** A visible text, or a refusal, with what is known of its tokens. */
type VisibleText = Pick<TextPart, 'text' | 'logprobs' | 'src'>;

/**
 * Encodes the log probabilities of the visible texts as one result; undefined when there are none. Tokens belong to texts
 * by position, so that those behind a text without any are lost.
 */
export function encodeLogprobs(texts: readonly VisibleText[], losses?: Losses): JsonObject | undefined {
  const visible = texts.filter(({ text }) => text !== '');
  const gap = visible.findIndex(({ logprobs }) => (logprobs?.length ?? 0) === 0);
  const known = gap < 0 ? visible : visible.slice(0, gap);
  for (const text of visible.slice(known.length)) {
    if ((text.logprobs?.length ?? 0) === 0) continue;
    losses?.add(text, 'logprobs', 'dropped', 'a text in front of it has no log probabilities');
  }
  const tokens = known.flatMap(({ logprobs }) => logprobs ?? []);
  if (tokens.length === 0) return undefined;
  const item = (token: { token: string; logprob: number }): JsonObject => ({
    token: token.token,
    logProbability: token.logprob,
  });
  const ranked = tokens.some((token) => token.top.length > 0);
  return {
    chosenCandidates: tokens.map(item),
    ...(ranked && { topCandidates: tokens.map((token) => ({ candidates: token.top.map(item) })) }),
  };
}

/** Reports bytes of tokens that are not those of their text: only texts are sent (translation.md 5.6). */
export function reportLogprobs(text: TextPart, losses: Losses): void {
  const odd = (token: { readonly token: string; readonly bytes?: readonly number[] }): boolean =>
    token.bytes !== undefined && token.bytes.join() !== new TextEncoder().encode(token.token).join();
  if (text.logprobs?.some((token) => odd(token) || token.top.some(odd)) === true)
    losses.add(text, 'logprobs', 'approximated', 'the bytes of tokens are not sent');
}

/** Deals tokens out to texts in order: every text takes as many as fill it. */
export function dealLogprobs(tokens: readonly TokenLogprob[], texts: readonly string[]): TokenLogprob[][] {
  let next = 0;
  return texts.map((text, index) => {
    const room = utf8Length(text);
    const dealt: TokenLogprob[] = [];
    let filled = 0;
    while (next < tokens.length && (filled < room || index === texts.length - 1)) {
      const token = tokens[next];
      next += 1;
      if (token === undefined) break;
      filled += utf8Length(token.token);
      dealt.push(token);
    }
    return dealt;
  });
}
