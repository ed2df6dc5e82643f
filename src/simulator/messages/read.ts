import { isObject, type JsonObject, numberOf, objectOf, objectsOf, stringOf, stringsOf } from '../json.js';
import type { OutputForm, Tool, ToolOutcome, View } from '../plan.js';
import { countTokens } from '../tokens.js';

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
