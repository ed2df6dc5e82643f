import { isObject, type JsonObject, objectsOf, stringOf } from '../../../../src/simulator/rules/index.js';
import type { Block, MarkedPrompt } from './marked.js';

/** The least prefix that is cached, in tokens, by the beginning of the model's name, as the vendor documents it; else 1,024. */
const LEAST: readonly (readonly [prefix: RegExp, tokens: number])[] = [
  [/^claude-(?:opus-5|fable|mythos)/, 512],
  [/^claude-(?:opus-4-7|3-haiku|3-5-haiku)/, 2048],
  [/^claude-(?:opus-4-5|opus-4-6|haiku-4-5)/, 4096],
];

/** The blocks of a request: tools come first, then the system text, then the messages [M §8.50]. */
export function readMessages(body: JsonObject): MarkedPrompt {
  const model = stringOf(body.model);
  const blocks = [
    ...objectsOf(body.tools).map((tool) => readBlock(tool)),
    ...contentOf(body.system).flatMap((block) => (isForAccounts(block) ? [] : [readBlock(block)])),
    // A change of these leaves the cache of tools and system and no more.
    { json: JSON.stringify([body.thinking, body.tool_choice]), marked: false },
    ...objectsOf(body.messages).flatMap(({ role, content }) =>
      contentOf(content).map((block) => readBlock(block, role)),
    ),
  ];
  return {
    blocks: isObject(body.cache_control) ? markLast(blocks) : blocks,
    apart: model,
    least: LEAST.find(([prefix]) => prefix.test(model))?.[1] ?? 1024,
  };
}

/** The line that the vendor's own agent sends for the accounts changes with every request: the service takes it off. */
function isForAccounts({ text }: JsonObject): boolean {
  return typeof text === 'string' && text.startsWith('x-anthropic-billing-header:');
}

/** What the service does for a mark at the top; thoughts carry none [M §2.1]. */
function markLast(blocks: readonly Block[]): Block[] {
  const last = blocks.findLastIndex(({ json }) => !/^"assistant"\{"type":"(?:redacted_)?thinking"/.test(json));
  return blocks.map((block, index) => (index === last ? { ...block, marked: true } : block));
}

/** A text stands for one block. */
function contentOf(content: unknown): readonly JsonObject[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content);
}

/** A mark inside a result counts at its end. */
function readBlock({ cache_control: mark, ...block }: JsonObject, role?: unknown): Block {
  const inside = block.type === 'tool_result' ? objectsOf(block.content).map((child) => readBlock(child)) : [];
  const content = inside.length === 0 ? {} : { content: inside.map(({ json }) => json) };
  return {
    json: `${role === undefined ? '' : JSON.stringify(role)}${JSON.stringify({ ...block, ...content })}`,
    marked: isObject(mark) || inside.some(({ marked }) => marked),
  };
}
