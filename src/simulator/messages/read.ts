import { Refusal } from '../http.js';
import { isObject, type JsonObject, numberOf, objectOf, objectsOf, stringOf, stringsOf } from '../json.js';
import type { OutputForm, Tool, ToolOutcome, View } from '../plan.js';
import type { StateKeeper } from '../state.js';
import { countTokens } from '../tokens.js';
import { REDACTED_BINDING } from './print.js';

/** Refuses what lacks a required field, in the order and words of the service [M §3.1]. */
export function checkMessagesBody(body: JsonObject, counting: boolean): void {
  if (typeof body.model !== 'string' || body.model === '') throw new Refusal(400, 'model: Field required');
  if (!counting) {
    const maxTokens = body.max_tokens;
    if (maxTokens === undefined) throw new Refusal(400, 'max_tokens: Field required');
    if (typeof maxTokens !== 'number' || !Number.isInteger(maxTokens)) {
      throw new Refusal(400, 'max_tokens: Input should be a valid integer');
    }
    if (maxTokens < 1) throw new Refusal(400, 'max_tokens: Input should be greater than or equal to 1');
  }
  if (body.messages === undefined) throw new Refusal(400, 'messages: Field required');
  if (!Array.isArray(body.messages)) throw new Refusal(400, 'messages: Input should be a valid list');
  if (body.messages.length === 0) throw new Refusal(400, 'messages: at least one message is required');
  body.messages.forEach(checkMessage);
}

function checkMessage(message: unknown, index: number): void {
  const at = `messages.${index}`;
  if (!isObject(message)) throw new Refusal(400, `${at}: Input should be a valid dictionary`);
  if (!['user', 'assistant', 'system'].includes(stringOf(message.role))) {
    throw new Refusal(400, `${at}.role: Input should be 'user' or 'assistant'`);
  }
  const { content } = message;
  if (content === undefined) throw new Refusal(400, `${at}.content: Field required`);
  if (typeof content === 'string') return;
  if (!Array.isArray(content)) throw new Refusal(400, `${at}.content: Input should be a valid list`);
  content.forEach((block, place) => {
    if (!isObject(block)) throw new Refusal(400, `${at}.content.${place}: Input should be a valid dictionary`);
    if (typeof block.type !== 'string') throw new Refusal(400, `${at}.content.${place}.type: Field required`);
  });
}

/** Refuses thinking blocks whose signature was not issued here or whose text was changed [M §3.28, 3.29]. */
export function checkThinking(body: JsonObject, state: StateKeeper): void {
  objectsOf(body.messages).forEach((message, index) => {
    objectsOf(message.content).forEach((block, place) => {
      const at = `messages.${index}.content.${place}`;
      if (block.type === 'redacted_thinking' && state.check(stringOf(block.data), REDACTED_BINDING) !== 'valid') {
        throw new Refusal(400, `${at}: Invalid \`data\` in \`redacted_thinking\` block`);
      }
      if (block.type !== 'thinking') return;
      if (typeof block.signature !== 'string') {
        throw new Refusal(400, `${at}.thinking.signature: Field required`);
      }
      const verdict = state.check(block.signature, stringOf(block.thinking));
      if (verdict === 'forged') throw new Refusal(400, `${at}: Invalid \`signature\` in \`thinking\` block`);
      if (verdict === 'altered') {
        throw new Refusal(
          400,
          `${at}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`,
        );
      }
    });
  });
}

/** The request as the script wants to see it. */
export function readMessages(body: JsonObject): View {
  const messages = objectsOf(body.messages);
  const lastSpoken = messages.findLastIndex((message) => message.role === 'assistant');
  const spokenLast = lastSpoken === messages.length - 1;
  const current = spokenLast
    ? messages.filter((message) => message.role === 'user').slice(-1)
    : messages.slice(lastSpoken + 1);
  const blocks = current.filter((message) => message.role === 'user').flatMap(blocksOf);
  const names = new Map(
    messages.flatMap(blocksOf).flatMap((block) => {
      return block.type === 'tool_use' ? [[stringOf(block.id), stringOf(block.name)] as const] : [];
    }),
  );
  const prefixTokens = countTokens(textOf(body.system)) + countTokens(body.tools ? JSON.stringify(body.tools) : '');
  return {
    model: stringOf(body.model),
    userText: blocks.flatMap((block) => (block.type === 'text' ? [stringOf(block.text)] : [])).join('\n'),
    results: blocks.filter((block) => block.type === 'tool_result').map((block) => readResult(block, names)),
    media: blocks.flatMap(readMedia),
    tools: readTools(body.tools),
    ...readChoice(objectOf(body.tool_choice)),
    wantsReasoning: ['enabled', 'adaptive', 'between_tools'].includes(stringOf(objectOf(body.thinking).type)),
    output: readOutput(body),
    ...(numberOf(body.max_tokens) === undefined ? {} : { maxTokens: Number(body.max_tokens) }),
    stop: stringsOf(body.stop_sequences),
    promptTokens: prefixTokens + messages.flatMap(blocksOf).reduce((sum, block) => sum + countBlock(block), 0),
    prefixTokens,
    laterTurn: lastSpoken >= 0,
  };
}

/** Whether any part of the request asks for caching. */
export function hasCacheMark(body: JsonObject): boolean {
  const marked = (entry: JsonObject): boolean => isObject(entry.cache_control);
  const blocks = [...objectsOf(body.system), ...objectsOf(body.tools), ...objectsOf(body.messages).flatMap(blocksOf)];
  return marked(body) || blocks.some(marked);
}

function blocksOf(message: JsonObject): JsonObject[] {
  return typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : objectsOf(message.content);
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return objectsOf(content)
    .flatMap((block) => (block.type === 'text' ? [stringOf(block.text)] : []))
    .join('\n');
}

function readResult(block: JsonObject, names: ReadonlyMap<string, string>): ToolOutcome {
  const id = stringOf(block.tool_use_id);
  return { name: names.get(id) ?? id, text: textOf(block.content), isError: block.is_error === true };
}

function readMedia(block: JsonObject): string[] {
  if (block.type === 'tool_result') return objectsOf(block.content).flatMap(readMedia);
  if (block.type !== 'image' && block.type !== 'document') return [];
  const source = objectOf(block.source);
  if (source.type === 'url') return [`${block.type} by URL`];
  if (source.type === 'file') return [`${block.type} by file id`];
  return [stringOf(source.media_type, block.type)];
}

function readTools(tools: unknown): Tool[] {
  return objectsOf(tools)
    .filter((tool) => isObject(tool.input_schema))
    .map((tool) => ({ name: stringOf(tool.name), schema: objectOf(tool.input_schema) }));
}

function readChoice(choice: JsonObject): Pick<View, 'choice' | 'parallel'> {
  const parallel = choice.disable_parallel_tool_use !== true;
  switch (choice.type) {
    case 'none':
      return { choice: { mode: 'none' }, parallel };
    case 'any':
      return { choice: { mode: 'required' }, parallel };
    case 'tool':
      return { choice: { mode: 'required', only: [stringOf(choice.name)] }, parallel };
    default:
      return { choice: { mode: 'auto' }, parallel };
  }
}

function readOutput(body: JsonObject): OutputForm {
  const format = objectOf(objectOf(body.output_config).format ?? body.output_format);
  return isObject(format.schema) ? { kind: 'schema', schema: format.schema } : { kind: 'text' };
}

const TOKENS_PER_MEDIUM = 250;

function countBlock(block: JsonObject): number {
  switch (block.type) {
    case 'text':
      return countTokens(stringOf(block.text));
    case 'thinking':
      return countTokens(stringOf(block.thinking));
    case 'tool_use':
      return 1 + countTokens(JSON.stringify(block.input ?? {}, null, 1));
    case 'tool_result':
      return (
        1 +
        (typeof block.content === 'string'
          ? countTokens(block.content)
          : objectsOf(block.content).reduce((sum, part) => sum + countBlock(part), 0))
      );
    default:
      return TOKENS_PER_MEDIUM;
  }
}
