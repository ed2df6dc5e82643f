import { type JsonObject, objectsOf, stringOf } from '../json.js';
import { type Violation, when } from '../violation.js';
import { blocksOf, type Conversation, type PlacedBlock, type Turn } from './blocks.js';

/** Rules on roles, order and emptiness [M §3.1-3.8]. `prefill`: the model takes a last assistant message. */
export function checkTurns({ body, messages, blocks }: Conversation, prefill: boolean): Violation[] {
  if (messages.length === 0) return when(true, 'messages: at least one message is required');
  return [
    ...messages.flatMap((message, index) => checkEmpty(message, index, messages.length)),
    ...blocks.flatMap(checkText),
    ...when(body.system === '', 'system: text content blocks must be non-empty'),
    ...messages.flatMap(checkHome),
    ...checkSystemRole(messages),
    ...checkEnding(messages, prefill),
  ];
}

function checkEmpty({ role, content }: JsonObject, index: number, count: number): Violation[] {
  const excused = index === count - 1 && role === 'assistant' && content === '';
  const empty = content === '' || (Array.isArray(content) && content.length === 0);
  const message = `messages.${index}: all messages must have non-empty content except for the optional final assistant message`;
  return when(empty && !excused, message);
}

function checkText({ at, type, block }: PlacedBlock): Violation[] {
  if (type !== 'text') return [];
  const text = stringOf(block.text);
  const what = text === '' ? 'be non-empty' : 'contain non-whitespace text';
  return when(text.trim() === '', `${at.split('.')[0]}: text content blocks must ${what}`);
}

const USER_ONLY = /^(?:tool_result|image|document|search_result)$/;
const ASSISTANT_ONLY = /^(?:(?:server_|mcp_)?tool_use|(?:redacted_)?thinking|.+_tool_result)$/;
const SYSTEM_TAKES = /^(?:text|tool_addition|tool_removal)$/;

/** Blocks are in messages of a role that may have them. */
function checkHome(message: JsonObject, index: number): Violation[] {
  return blocksOf(message, index).flatMap(({ type }) => {
    const home = USER_ONLY.test(type) ? 'user' : ASSISTANT_ONLY.test(type) ? 'assistant' : undefined;
    const barred = message.role === 'system' && !SYSTEM_TAKES.test(type);
    const where = home === undefined ? '`user` or `assistant`' : `\`${home}\``;
    return when(
      barred || (home !== undefined && message.role !== home),
      `messages.${index}: \`${type}\` blocks can only be in ${where} messages`,
    );
  });
}

/** A run of system messages is one section; it follows a user message and is last or precedes the assistant. */
function checkSystemRole(messages: readonly JsonObject[]): Violation[] {
  let before: JsonObject | undefined;
  return messages.flatMap((message, index) => {
    const next = messages[index + 1];
    if (message.role !== 'system') before = message;
    if (message.role !== 'system' || next?.role === 'system') return [];
    const last = before && blocksOf(before, 0).at(-1)?.type;
    const follows = before?.role === 'user' || (before?.role === 'assistant' && isServerResult(last));
    return when(
      !follows || (next !== undefined && next.role !== 'assistant'),
      `messages.${index}: role 'system' is not allowed at this position`,
    );
  });
}

function isServerResult(type = ''): boolean {
  return /._tool_result$/.test(type);
}

function checkEnding(messages: readonly JsonObject[], prefill: boolean): Violation[] {
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return [];
  const { block, type } = blocksOf(last, 0).at(-1) ?? {};
  // A paused answer goes on.
  if (type === 'server_tool_use' || isServerResult(type)) return [];
  const refusal =
    'This model does not support assistant message prefill. The conversation must end with a user message.';
  if (!prefill) return when(true, refusal);
  const trailing = type === 'text' && /\s$/.test(stringOf(block?.text));
  return when(trailing, 'messages: final assistant content cannot end with trailing whitespace');
}

/** Rules on calls and their results [M §3.9-3.18]. */
export function checkPairing(conversation: Conversation): Violation[] {
  const turns = conversation.turns.filter(({ role }) => role !== 'system');
  const ids = turns.flatMap(callsOf).map(({ block }) => block.id);
  return [
    ...turns.flatMap(({ blocks }) => blocks).flatMap(checkId),
    ...when(new Set(ids).size < ids.length, 'messages: `tool_use` ids must be unique'),
    ...turns.flatMap((turn, index) => checkAnswered(turn, turns[index + 1])),
    ...turns.flatMap((turn, index) => checkResults(turn, turns[index - 1])),
    ...checkServerTools(turns),
  ];
}

const ID_FIELDS: Readonly<Record<string, string>> = { tool_use: 'id', tool_result: 'tool_use_id' };

function checkId({ at, type, block }: PlacedBlock): Violation[] {
  const field = ID_FIELDS[type];
  const fits = field === undefined || /^[a-zA-Z0-9_-]+$/.test(stringOf(block[field]));
  return when(!fits, `${at}.${type}.${field}: String should match pattern '^[a-zA-Z0-9_-]+$'`);
}

function callsOf(turn: Turn | undefined): readonly PlacedBlock[] {
  return turn?.role === 'assistant' ? turn.blocks.filter(({ type }) => type === 'tool_use') : [];
}

function checkAnswered(turn: Turn, next: Turn | undefined): Violation[] {
  const results = next?.role === 'user' ? next.blocks : [];
  // Results behind other content do not count as answers [M §3.12].
  const end = results.findIndex(({ type }) => type !== 'tool_result');
  const answered = new Set(results.slice(0, end < 0 ? undefined : end).map(({ block }) => block.tool_use_id));
  const open = callsOf(turn).flatMap(({ block }) => (answered.has(block.id) ? [] : [stringOf(block.id)]));
  return when(
    open.length > 0,
    `messages.${turn.index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  );
}

function checkResults(turn: Turn, before: Turn | undefined): Violation[] {
  const known = new Set(callsOf(before).map(({ block }) => block.id));
  const seen = new Set<string>();
  return turn.blocks.flatMap(({ at, type, block }) => {
    if (type !== 'tool_result') return [];
    const id = stringOf(block.tool_use_id);
    const twice = seen.has(id);
    seen.add(id);
    const mixed = block.is_error === true && objectsOf(block.content).some((part) => part.type !== 'text');
    return [
      ...when(
        !known.has(id),
        `${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      ),
      ...when(twice, `${at}: each tool_use must have a single result. Found multiple for ${id}`),
      ...when(mixed, `${at}.tool_result: all content must be type \`text\` if \`is_error\` is true`),
    ];
  });
}

function checkServerTools(turns: readonly Turn[]): Violation[] {
  const open = new Set<string>();
  return turns.flatMap(({ blocks }) =>
    blocks.flatMap(({ at, type, block }) => {
      const id = stringOf(block.tool_use_id, stringOf(block.id));
      if (type === 'server_tool_use' || type === 'mcp_tool_use') open.add(id);
      const malformed = type === 'server_tool_use' && !/^srvtoolu_[a-zA-Z0-9_]+$/.test(id);
      const stray = isServerResult(type) && !open.has(id);
      return [
        ...when(malformed, `${at}.${type}.id: String should match pattern '^srvtoolu_[a-zA-Z0-9_]+$'`),
        ...when(stray, `${at}: unexpected \`tool_use_id\` found in \`${type}\` blocks: ${id}`),
      ];
    }),
  );
}
