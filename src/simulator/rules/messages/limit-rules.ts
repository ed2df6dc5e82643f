import { isObject, type JsonObject, numberOf, objectOf, objectsOf, stringOf, stringsOf } from '../json.js';
import type { StateKeeper } from '../state.js';
import { type Violation, when } from '../violation.js';
import type { Conversation, PlacedBlock } from './blocks.js';
import { checkClosed } from './tool-rules.js';

/** What a model generation takes [M §0, §2.7]; `any` is a model that takes what any of them takes. */
export type Generation = '4.0' | '4.5' | '4.6' | '4.7' | '5.5' | 'any';

/** Rules on the thinking switch, the budget and sampling [M §3.24-3.26, §3.32, §3.41]. */
export function checkSettings({ body, marked, tools }: Conversation, generation: Generation): Violation[] {
  const thinking = objectOf(body.thinking);
  const format = objectOf(body.output_config).format ?? body.output_format;
  const cap = numberOf(body.max_tokens);
  const caches = isObject(body.cache_control) || marked.length > 0;
  return [
    ...(thinking.type === 'enabled' ? checkBudget(body, thinking, generation) : []),
    ...when(
      thinking.type === 'adaptive' && (generation === '4.0' || generation === '4.5'),
      'adaptive thinking is not supported on this model. Use thinking.type.enabled with budget_tokens.',
    ),
    // Structured outputs came with 4.1 [M §2.8].
    ...when(
      generation === '4.0' && (isObject(format) || tools.some(({ strict }) => strict === true)),
      'structured outputs and strict tools are not supported for this model.',
    ),
    ...(generation === '5.5' ? checkAlways(body, tools) : []),
    ...checkSampling(body, isThinking(thinking), generation),
    // With nothing to be generated the prompt is written to the cache [M §2.1].
    ...when(
      cap !== undefined && cap < 1 && !(cap === 0 && caches),
      'max_tokens: Input should be greater than or equal to 1',
    ),
    ...stringsOf(body.stop_sequences).flatMap((stop, index) =>
      when(stop.trim() === '', `stop_sequences.${index}: each stop sequence must contain non-whitespace`),
    ),
  ];
}

function isNew(generation: Generation): boolean {
  return generation === '4.7' || generation === '5.5';
}

/** From 5.5 on models think whatever they are asked, and their computer is a set of tools. */
function checkAlways(body: JsonObject, tools: readonly JsonObject[]): Violation[] {
  const { type } = objectOf(body.thinking);
  const { effort } = objectOf(body.output_config);
  const forced = ['any', 'tool'].includes(stringOf(objectOf(body.tool_choice).type));
  return [
    ...when(type === 'disabled', 'thinking.type.disabled is not supported for this model.'),
    ...when(
      type === 'between_tools' && (effort === 'xhigh' || effort === 'max'),
      `thinking.type.between_tools is not supported with effort ${String(effort)}.`,
    ),
    ...when(forced, 'Thinking may not be enabled when tool_choice forces tool use.'),
    ...tools.flatMap(({ type: kind }, index) =>
      when(
        /^computer_\d+$/.test(stringOf(kind)),
        `tools.${index}: ${String(kind)} is not supported for this model. Use computer_toolset_20260801.`,
      ),
    ),
  ];
}

function isThinking({ type }: JsonObject): boolean {
  return type === 'enabled' || type === 'adaptive' || type === 'between_tools';
}

function checkBudget(body: JsonObject, { budget_tokens: budget }: JsonObject, generation: Generation): Violation[] {
  const small = typeof body.max_tokens === 'number' && body.max_tokens <= Number(budget);
  const forced = ['any', 'tool'].includes(stringOf(objectOf(body.tool_choice).type));
  return [
    ...when(
      isNew(generation),
      'thinking.type.enabled is not supported for this model. Use thinking.type.adaptive and output_config.effort.',
    ),
    ...when(small, '`max_tokens` must be greater than `thinking.budget_tokens`.'),
    ...when(forced, 'Thinking may not be enabled when tool_choice forces tool use.'),
  ];
}

function checkSampling(body: JsonObject, thinking: boolean, generation: Generation): Violation[] {
  const { temperature = 1, top_p: topP = 1, top_k: topK } = body;
  const both = body.temperature !== undefined && body.top_p !== undefined;
  const neutral = temperature === 1 && Number(topP) >= 0.99 && topK === undefined;
  return [
    // From 4.1 on.
    ...when(
      both && generation !== 'any' && generation !== '4.0',
      '`temperature` and `top_p` cannot both be specified for this model.',
    ),
    ...when(thinking && temperature !== 1, '`temperature` may only be set to 1 when thinking is enabled.'),
    ...when(thinking && topK !== undefined, '`top_k` must be unset when thinking is enabled.'),
    ...when(thinking && Number(topP) < 0.95, '`top_p` must be greater than or equal to 0.95 when thinking is enabled.'),
    ...when(isNew(generation) && !neutral, 'Sampling parameters are not supported for this model.'),
  ];
}

/** What the data of a `redacted_thinking` block is tied to. */
export const REDACTED_BINDING = 'redacted';

const THINKING = /^(?:redacted_)?thinking$/;

/** Rules on thinking blocks in the history [M §3.27-3.30]. */
export function checkThinkingBlocks(conversation: Conversation, state: StateKeeper): Violation[] {
  const { turns } = conversation;
  return [
    ...turns.flatMap(({ blocks }) => blocks).flatMap((one) => checkState(one, state)),
    ...turns.flatMap(({ role, blocks, index }) =>
      when(
        role === 'assistant' && THINKING.test(blocks.at(-1)?.type ?? ''),
        `messages.${index}: The final block in an assistant message cannot be \`thinking\`.`,
      ),
    ),
    ...checkLoopStart(conversation),
  ];
}

/** Opaque state was issued by this service, for this block. */
function checkState({ at, type, block }: PlacedBlock, state: StateKeeper): Violation[] {
  switch (type) {
    case 'thinking': {
      const verdict = state.check(stringOf(block.signature), stringOf(block.thinking));
      const changed = `${at}: \`thinking\` blocks in the latest assistant message cannot be modified.`;
      return [
        ...when(verdict === 'forged', `${at}: Invalid \`signature\` in \`thinking\` block`),
        ...when(verdict === 'altered', changed),
      ];
    }
    case 'redacted_thinking':
      return when(
        state.check(stringOf(block.data), REDACTED_BINDING) !== 'valid',
        `${at}: Invalid \`data\` in \`redacted_thinking\` block`,
      );
    case 'web_search_tool_result':
      return objectsOf(block.content).flatMap(({ encrypted_content: token }) =>
        when(
          typeof token === 'string' && state.check(token) !== 'valid',
          `${at}: Invalid \`encrypted_content\` in \`web_search_result\` block`,
        ),
      );
    default:
      return [];
  }
}

/** With `enabled`, the turn that a tool loop continues begins with thinking [M §3.27]. */
function checkLoopStart({ body, turns: all }: Conversation): Violation[] {
  if (objectOf(body.thinking).type !== 'enabled') return [];
  const turns = all.filter(({ role }) => role !== 'system');
  const answers = ({ blocks }: (typeof turns)[number]): boolean => blocks.some(({ type }) => type === 'tool_result');
  const last = turns.at(-1);
  if (last === undefined || !answers(last)) return [];
  const question = turns.findLastIndex((turn) => turn.role === 'user' && !answers(turn));
  const loop = turns.slice(question + 1).filter(({ role }) => role === 'assistant');
  const first = loop[0]?.blocks[0];
  const thinks = [first, loop.at(-1)?.blocks[0]].some((one) => THINKING.test(one?.type ?? ''));
  return when(
    first !== undefined && !thinks,
    `${first?.at}.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first?.type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block.`,
  );
}

/** Rules on cache marks [M §3.33-3.35]. */
export function checkCacheMarks({ body, marked }: Conversation): Violation[] {
  const count = marked.length + (isObject(body.cache_control) ? 1 : 0);
  const ttls = marked.map(({ block }) => stringOf(objectOf(block.cache_control).ttl, '5m'));
  const late = ttls.indexOf('1h', ttls.includes('5m') ? ttls.indexOf('5m') : ttls.length);
  return [
    ...when(count > 4, `A maximum of 4 blocks with cache_control may be provided. Found ${count}.`),
    ...when(
      late >= 0,
      `${marked[late]?.at}.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block.`,
    ),
  ];
}

/** Rules on media, documents and the output schema [M §2.8, §3.16, §3.36-3.39]. */
export function checkContent({ body, blocks }: Conversation): Violation[] {
  const images = blocks.filter(({ type }) => type === 'image');
  const documents = blocks.filter(({ type }) => type === 'document');
  const cited = documents.filter(({ block }) => objectOf(block.citations).enabled === true).length;
  const { schema } = objectOf(objectOf(body.output_config).format ?? body.output_format);
  const formatted = isObject(schema);
  return [
    ...images.flatMap(({ at, block }) => checkPicture(`${at}.image.source`, objectOf(block.source))),
    ...when(images.length > 100, `messages: too many images: ${images.length} > 100`),
    ...when(
      cited > 0 && cited < documents.length,
      'citations: must be enabled on all documents of a request or on none',
    ),
    ...(formatted ? checkClosed(schema, 'output_config.format.schema') : []),
    ...when(formatted && cited > 0, 'output_config.format: cannot be used with citations'),
  ];
}

/** How the base64 of a picture begins, by media type. */
const BEGINNINGS = [
  ['image/png', 'iVBORw0KGgo'],
  ['image/jpeg', '/9j/'],
  ['image/gif', 'R0lGOD'],
  ['image/webp', 'UklGR'],
] as const;

/** Bytes are held against what they are called [M §3.36]; the URL of a picture is one that can be fetched. */
function checkPicture(at: string, { type, media_type: declared, data, url }: JsonObject): Violation[] {
  const found = BEGINNINGS.find(([, beginning]) => stringOf(data).startsWith(beginning))?.[0];
  const remote = type !== 'url' || /^https?:\/\//i.test(stringOf(url));
  return [
    ...when(!remote, `${at}.url.url: Only HTTP and HTTPS URLs are supported`),
    ...when(type === 'base64' && data === '', `${at}.base64: image cannot be empty`),
    ...when(
      type === 'base64' && found !== undefined && found !== declared,
      `${at}.base64: The image was specified using the ${String(declared)} media type, but the image appears to be a ${found} image`,
    ),
  ];
}

/** Fields that the newer protocol version no longer takes [M §0]. */
export function checkVersion({ turns }: Conversation, version: string): Violation[] {
  if (version !== '2026-10-21') return [];
  return turns.flatMap(({ role, blocks }) =>
    blocks.flatMap(({ at, type, block }) => {
      const cited = type === 'text' && Array.isArray(block.citations) && block.citations.length > 0;
      return [
        ...when(role === 'assistant' && type === 'document', `${at}: Extra inputs are not permitted`),
        ...when(role === 'user' && cited, `${at}.citations: Extra inputs are not permitted`),
      ];
    }),
  );
}
