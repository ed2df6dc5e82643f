import { isObject, type JsonObject, numberOf, objectOf, objectsOf, stringOf, stringsOf } from '../json.js';
import type { StateKeeper } from '../state.js';
import type { Violation } from '../violation.js';
import { allBlocks, turnsOf } from './blocks.js';
import { REDACTED_BINDING } from './print.js';
import { checkClosed } from './tool-rules.js';

/** What a model generation takes [M §0, §2.7]; `any` is a model that takes what any of them takes. */
export type Generation = '4.0' | '4.5' | '4.6' | '4.7' | 'any';

/** Rules on the thinking switch, the budget and sampling [M §3.24-3.26, §3.32, §3.41]. */
export function checkTuning(body: JsonObject, generation: Generation): Violation[] {
  const thinking = objectOf(body.thinking);
  const on = ['enabled', 'adaptive', 'between_tools'].includes(stringOf(thinking.type));
  const forced = ['any', 'tool'].includes(stringOf(objectOf(body.tool_choice).type));
  const found: string[] = [];
  if (thinking.type === 'enabled') {
    if (generation === '4.7') {
      found.push(
        'thinking.type.enabled is not supported for this model. Use thinking.type.adaptive and output_config.effort.',
      );
    }
    const budget = numberOf(thinking.budget_tokens) ?? 0;
    if (budget < 1024) found.push('thinking.enabled.budget_tokens: Input should be greater than or equal to 1024');
    const cap = numberOf(body.max_tokens);
    if (cap !== undefined && cap <= budget) found.push('`max_tokens` must be greater than `thinking.budget_tokens`.');
    if (forced) found.push('Thinking may not be enabled when tool_choice forces tool use.');
  }
  if (thinking.type === 'adaptive' && (generation === '4.0' || generation === '4.5')) {
    found.push('adaptive thinking is not supported on this model. Use thinking.type.enabled with budget_tokens.');
  }
  if (generation === '4.0') found.push(...checkStructured(body));
  const more = [...checkSampling(body, on, generation), ...checkCaps(body), ...checkNames(body)];
  return [...found, ...more].map((message) => ({ message }));
}

/** Structured outputs came with 4.1 [M §2.8]. */
function checkStructured(body: JsonObject): string[] {
  const found: string[] = [];
  if (objectOf(body.output_config).format !== undefined || body.output_format !== undefined) {
    found.push('output_config.format: structured outputs are not supported for this model.');
  }
  objectsOf(body.tools).forEach((tool, index) => {
    if (tool.strict === true) found.push(`tools.${index}.strict: strict tools are not supported for this model.`);
  });
  return found;
}

function checkSampling(body: JsonObject, thinking: boolean, generation: Generation): string[] {
  const { temperature, top_p: topP, top_k: topK } = body;
  const found: string[] = [];
  const t = numberOf(temperature);
  if (t !== undefined && (t < 0 || t > 1)) found.push('temperature: range: 0..1');
  const p = numberOf(topP);
  if (p !== undefined && (p < 0 || p > 1)) found.push('top_p: range: 0..1');
  if (t !== undefined && p !== undefined && generation !== 'any')
    found.push('`temperature` and `top_p` cannot both be specified for this model.');
  if (thinking && t !== undefined && t !== 1)
    found.push('`temperature` may only be set to 1 when thinking is enabled.');
  if (thinking && topK !== undefined) found.push('`top_k` must be unset when thinking is enabled.');
  if (thinking && p !== undefined && p < 0.95)
    found.push('`top_p` must be greater than or equal to 0.95 when thinking is enabled.');
  const k = numberOf(topK);
  if (k !== undefined && k < 1) found.push('top_k: Input should be greater than or equal to 1');
  const neutral = (t === undefined || t === 1) && (p === undefined || p >= 0.99) && topK === undefined;
  if (generation === '4.7' && !neutral) found.push('Sampling parameters are not supported for this model.');
  return found;
}

function checkCaps(body: JsonObject): string[] {
  const found: string[] = [];
  const cap = numberOf(body.max_tokens);
  // With nothing to be generated the prompt is written to the cache [M §2.1].
  const warms =
    cap === 0 && (isObject(body.cache_control) || allBlocks(body).some(({ block }) => isObject(block.cache_control)));
  if (cap !== undefined && cap < 1 && !warms) found.push('max_tokens: Input should be greater than or equal to 1');
  stringsOf(body.stop_sequences).forEach((stop, index) => {
    if (stop.trim() === '') found.push(`stop_sequences.${index}: each stop sequence must contain non-whitespace`);
  });
  if (stringOf(objectOf(body.metadata).user_id).length > 256) {
    found.push('metadata.user_id: String should have at most 256 characters');
  }
  return found;
}

/** Lengths and numbers of what names something [M §2.1, §2.3, §2.8]. */
function checkNames(body: JsonObject): string[] {
  const found: string[] = [];
  const model = stringOf(body.model);
  if (model === '') found.push('model: String should have at least 1 character');
  if (model.length > 256) found.push('model: String should have at most 256 characters');
  if (objectsOf(body.mcp_servers).length > 20) found.push('mcp_servers: List should have at most 20 items');
  const total = numberOf(objectOf(objectOf(body.output_config).task_budget).total);
  if (total !== undefined && total < 1024) {
    found.push('output_config.task_budget.total: Input should be greater than or equal to 1024');
  }
  for (const { at, block } of allBlocks(body)) {
    if (block.type !== 'document') continue;
    const { title, context } = block;
    if (typeof title === 'string' && (title === '' || title.length > 500)) {
      found.push(`${at}.document.title: String should have between 1 and 500 characters`);
    }
    if (context === '') found.push(`${at}.document.context: String should have at least 1 character`);
  }
  return found;
}

/** Rules on thinking blocks in the history [M §3.27-3.30]. */
export function checkThinkingBlocks(body: JsonObject, state: StateKeeper): Violation[] {
  const turns = turnsOf(body);
  const found: string[] = [];
  for (const { at, block } of turns.flatMap((turn) => turn.blocks)) {
    if (block.type === 'thinking') {
      const verdict = state.check(stringOf(block.signature), stringOf(block.thinking));
      if (verdict === 'forged') found.push(`${at}: Invalid \`signature\` in \`thinking\` block`);
      if (verdict === 'altered')
        found.push(`${at}: \`thinking\` blocks in the latest assistant message cannot be modified.`);
    }
    if (block.type === 'redacted_thinking' && state.check(stringOf(block.data), REDACTED_BINDING) !== 'valid') {
      found.push(`${at}: Invalid \`data\` in \`redacted_thinking\` block`);
    }
  }
  for (const turn of turns) {
    const last = turn.blocks.at(-1);
    if (turn.role === 'assistant' && isThinking(last?.block)) {
      found.push(`messages.${turn.index}: The final block in an assistant message cannot be \`thinking\`.`);
    }
  }
  return [...found, ...checkLoopStart(body)].map((message) => ({ message }));
}

function isThinking(block: JsonObject | undefined): boolean {
  return block?.type === 'thinking' || block?.type === 'redacted_thinking';
}

/** With `enabled`, the turn that a tool loop continues begins with thinking [M §3.27]. */
function checkLoopStart(body: JsonObject): string[] {
  if (objectOf(body.thinking).type !== 'enabled') return [];
  const turns = turnsOf(body).filter((turn) => turn.role !== 'system');
  if (!turns.at(-1)?.blocks.some(({ block }) => block.type === 'tool_result')) return [];
  const isNewQuestion = (index: number): boolean =>
    turns[index]?.role === 'user' && !turns[index].blocks.some(({ block }) => block.type === 'tool_result');
  const question = turns.findLastIndex((_turn, index) => isNewQuestion(index));
  const loop = turns.slice(question + 1).filter((turn) => turn.role === 'assistant');
  if (loop.length === 0 || isThinking(loop[0]?.blocks[0]?.block) || isThinking(loop.at(-1)?.blocks[0]?.block))
    return [];
  const first = loop[0]?.blocks[0];
  return [
    `${first?.at}.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${stringOf(first?.block.type)}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block.`,
  ];
}

/** Rules on cache marks [M §3.33-3.35]. */
export function checkCacheMarks(body: JsonObject): Violation[] {
  const marked = allBlocks(body).filter(({ block }) => isObject(block.cache_control));
  const own = isObject(body.cache_control) ? 1 : 0;
  const count = marked.length + own;
  if (count > 4) {
    return [{ message: `A maximum of 4 blocks with cache_control may be provided. Found ${count}.` }];
  }
  const ttls = marked.map(({ block }) => stringOf(objectOf(block.cache_control).ttl, '5m'));
  const late = ttls.findIndex((ttl, index) => ttl === '1h' && ttls.slice(0, index).includes('5m'));
  if (late < 0) return [];
  return [
    {
      message: `${marked[late]?.at}.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block.`,
    },
  ];
}

/** Rules on media, documents and the output schema [M §2.8, §3.16, §3.36-3.39]. */
export function checkContent(body: JsonObject, state: StateKeeper): Violation[] {
  const blocks = allBlocks(body);
  const found: string[] = [];
  const images = blocks.filter(({ block }) => block.type === 'image');
  found.push(...images.flatMap(({ at, block }) => checkPicture(at, objectOf(block.source))));
  if (images.length > 100) found.push(`messages: too many images: ${images.length} > 100`);
  const citable = blocks
    .filter(({ block }) => block.type === 'document')
    .map(({ block }) => objectOf(block.citations).enabled === true);
  if (citable.includes(true) && citable.includes(false)) {
    found.push('citations: must be enabled on all documents of a request or on none');
  }
  const format = objectOf(objectOf(body.output_config).format ?? body.output_format);
  if (isObject(format.schema)) {
    found.push(...checkClosed(format.schema, 'output_config.format.schema'));
    if (citable.includes(true)) found.push('output_config.format: cannot be used with citations');
  }
  for (const { at, block } of blocks) {
    for (const result of objectsOf(block.content)) {
      const token = result.encrypted_content;
      if (block.type !== 'web_search_tool_result' || typeof token !== 'string' || state.check(token) === 'valid')
        continue;
      found.push(`${at}: Invalid \`encrypted_content\` in \`web_search_result\` block`);
    }
  }
  return found.map((message) => ({ message }));
}

/** How the base64 of a picture begins, by media type. */
const BEGINNINGS = [
  ['image/png', 'iVBORw0KGgo'],
  ['image/jpeg', '/9j/'],
  ['image/gif', 'R0lGOD'],
  ['image/webp', 'UklGR'],
] as const;

/** Bytes are held against what they are called [M §3.36]; the URL of a picture is one that can be fetched. */
function checkPicture(at: string, { type, media_type: declared, data, url }: JsonObject): string[] {
  if (type === 'url' && !/^https?:\/\//i.test(stringOf(url))) {
    return [`${at}.image.source.url.url: Only HTTP and HTTPS URLs are supported`];
  }
  if (type !== 'base64') return [];
  if (data === '') return [`${at}.image.source.base64: image cannot be empty`];
  const found = BEGINNINGS.find(([, beginning]) => stringOf(data).startsWith(beginning))?.[0];
  if (found === undefined || found === declared) return [];
  return [
    `${at}.image.source.base64: The image was specified using the ${String(declared)} media type, but the image appears to be a ${found} image`,
  ];
}

/** Fields that the newer protocol version no longer takes [M §0]. */
export function checkVersion(body: JsonObject, version: string): Violation[] {
  if (version !== '2026-10-21') return [];
  return turnsOf(body).flatMap((turn) =>
    turn.blocks.flatMap(({ at, block }): Violation[] => {
      if (turn.role === 'assistant' && block.type === 'document')
        return [{ message: `${at}: Extra inputs are not permitted` }];
      const cited = block.type === 'text' && Array.isArray(block.citations) && block.citations.length > 0;
      return turn.role === 'user' && cited ? [{ message: `${at}.citations: Extra inputs are not permitted` }] : [];
    }),
  );
}
