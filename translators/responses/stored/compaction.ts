import type { JsonObject } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';
import { frameOf } from './frames.js';
import { inputItems, itemsOf, listedItem } from './items.js';

const PROMPT = `Write a summary of the conversation so far, for a model that will continue it without seeing it. Keep what \
it needs: the user's goals and instructions in their own words where they matter, decisions and their reasons, facts that \
were found, names of files, functions, ids and values, what was done and with which result, what is open, and the next \
step. Write only the summary.`;

/** Whether an item asks for a compaction in the place of an answer. */
export function isTrigger(item: unknown): boolean {
  return isObject(item) && item.type === 'compaction_trigger';
}

/** The request for a summary, from the one that asks for a compaction. A cap on the answer is none on the summary. */
export function summaryRequest(asked: JsonObject, earlier: readonly JsonObject[]): JsonObject {
  const items = inputItems(asked.input).filter((item) => !isTrigger(item));
  const { text: _text, stream: _stream, background: _background, max_output_tokens: _cap, ...settings } = asked;
  return {
    ...settings,
    input: [...items, { type: 'message', role: 'user', content: PROMPT }],
    tools: [...itemsOf(asked.tools), ...missingTools(asked, [...earlier, ...items])],
    tool_choice: 'none',
    store: false,
  };
}

/** Tools that calls of the history name and the request does not declare: services want a declaration beside a call. */
function missingTools(asked: JsonObject, items: readonly unknown[]): JsonObject[] {
  const known = new Set(itemsOf(asked.tools).map((tool) => (isObject(tool) ? tool.name : undefined)));
  const missing = new Map<unknown, JsonObject>();
  for (const item of items) {
    if (!isObject(item) || known.has(item.name) || typeof item.name !== 'string') continue;
    if (item.type === 'function_call') {
      missing.set(item.name, {
        type: 'function',
        name: item.name,
        parameters: { type: 'object', properties: {} },
        strict: false,
      });
    } else if (item.type === 'custom_tool_call') missing.set(item.name, { type: 'custom', name: item.name });
  }
  return [...missing.values()];
}

/** The text of an answer. */
export function textOf({ output }: JsonObject): string {
  return itemsOf(output)
    .filter(isObject)
    .flatMap(({ content }) => itemsOf(content))
    .map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : ''))
    .join('');
}

/** The messages of the user in a conversation, which a compaction keeps, under new ids. `nonce` gives 128 random bits. */
export function userMessages(items: readonly JsonObject[], nonce: () => string): readonly JsonObject[] {
  return items
    .map(listedItem)
    .filter(({ type, role }) => type === 'message' && role === 'user')
    .map((item) => ({ ...item, id: `msg_ili${nonce()}` }));
}

/** A compaction with its state in a carrier. */
export function compactionItem(state: string, nonce: () => string): JsonObject {
  return { id: `cmp_il${nonce()}`, type: 'compaction', encrypted_content: state };
}

/** The body of a compaction on its own route; `now` in Unix seconds. */
export function compactedAnswer(
  output: readonly JsonObject[],
  usage: unknown,
  now: number,
  nonce: () => string,
): JsonObject {
  return { id: `resp_il${nonce()}`, object: 'response.compaction', created_at: now, output, usage };
}

/** The stream of an answer of one item without deltas [R §5.3 `opaque`]. */
export function compactionFrames(answer: JsonObject): string {
  const response = { ...answer, status: 'in_progress', output: [], usage: null, completed_at: null };
  const [item] = itemsOf(answer.output);
  const events: JsonObject[] = [
    { response, type: 'response.created' },
    { response, type: 'response.in_progress' },
    { output_index: 0, item, type: 'response.output_item.added' },
    { output_index: 0, item, type: 'response.output_item.done' },
    { response: answer, type: 'response.completed' },
  ];
  return events.map((event, sequence_number) => frameOf({ ...event, sequence_number })).join('');
}
