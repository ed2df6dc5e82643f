import { isObject, type JsonObject, objectsOf, stringOf } from '../json.js';
import type { Violation } from '../violation.js';
import { blocksOf, type PlacedBlock, type Turn, turnsOf } from './blocks.js';

/** Rules on roles, order and emptiness [M §3.1-3.8]. `prefill` tells whether the model takes a last assistant message. */
export function checkTurnStructure(body: JsonObject, prefill: boolean): Violation[] {
  const messages = objectsOf(body.messages);
  if (messages.length === 0) return [{ message: 'messages: at least one message is required' }];
  return [
    ...checkEmptiness(messages),
    ...messages.flatMap(blocksOf).flatMap(checkText),
    ...objectsOf(body.system).flatMap((block, index) => checkText({ at: `system.${index}`, block })),
    ...(body.system === '' ? [{ message: 'system: text content blocks must be non-empty' }] : []),
    ...checkPlaces(messages),
    ...checkSystemRole(messages),
    ...checkEnding(messages, prefill),
  ];
}

function checkEmptiness(messages: readonly JsonObject[]): Violation[] {
  return messages.flatMap((message, index) => {
    const empty = message.content === '' || (Array.isArray(message.content) && message.content.length === 0);
    const excused = index === messages.length - 1 && message.role === 'assistant' && message.content === '';
    if (!empty || excused) return [];
    return [
      {
        message: `messages.${index}: all messages must have non-empty content except for the optional final assistant message`,
      },
    ];
  });
}

function checkText({ at, block }: PlacedBlock): Violation[] {
  if (block.type === 'tool_result') {
    return objectsOf(block.content).flatMap((inner, index) =>
      checkText({ at: `${at}.content.${index}`, block: inner }),
    );
  }
  if (block.type !== 'text') return [];
  const text = stringOf(block.text);
  if (text === '') return [{ message: `${at.split('.')[0]}: text content blocks must be non-empty` }];
  if (text.trim() === '')
    return [{ message: `${at.split('.')[0]}: text content blocks must contain non-whitespace text` }];
  return [];
}

const USER_ONLY = new Set(['tool_result', 'image', 'document', 'search_result']);
const ASSISTANT_ONLY =
  /^(tool_use|thinking|redacted_thinking|server_tool_use|mcp_tool_use|(?!tool_result$).*_tool_result)$/;

function checkPlaces(messages: readonly JsonObject[]): Violation[] {
  return messages.flatMap((message, index) =>
    blocksOf(message, index).flatMap(({ block }) => {
      const type = stringOf(block.type);
      const home = USER_ONLY.has(type) ? 'user' : ASSISTANT_ONLY.test(type) ? 'assistant' : undefined;
      const textOnly = message.role === 'system' && !['text', 'tool_addition', 'tool_removal'].includes(type);
      if (!textOnly && (home === undefined || message.role === home)) return [];
      const where = home === undefined ? '`user` or `assistant`' : `\`${home}\``;
      return [{ message: `messages.${index}: \`${type}\` blocks can only be in ${where} messages` }];
    }),
  );
}

/** A run of system messages is one section; it stands behind a user message and is last or before the assistant. */
function checkSystemRole(messages: readonly JsonObject[]): Violation[] {
  const found: Violation[] = [];
  let before: JsonObject | undefined;
  messages.forEach((message, index) => {
    if (message.role !== 'system') before = message;
    const next = messages[index + 1];
    if (message.role !== 'system' || next?.role === 'system') return;
    const endsInServerResult = before && /_tool_result$/.test(stringOf(blocksOf(before, 0).at(-1)?.block.type));
    const follows = before?.role === 'user' || (before?.role === 'assistant' && endsInServerResult);
    if (follows && (next === undefined || next.role === 'assistant')) return;
    found.push({ message: `messages.${index}: role 'system' is not allowed at this position` });
  });
  return found;
}

function checkEnding(messages: readonly JsonObject[], prefill: boolean): Violation[] {
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return [];
  const block = blocksOf(last, messages.length - 1).at(-1)?.block;
  const type = stringOf(block?.type);
  const resumesPause = type === 'server_tool_use' || (type !== 'tool_result' && type.endsWith('_tool_result'));
  if (resumesPause) return [];
  if (!prefill) {
    return [
      {
        message:
          'This model does not support assistant message prefill. The conversation must end with a user message.',
      },
    ];
  }
  const trailing = type === 'text' && /\s$/.test(stringOf(block?.text));
  return trailing ? [{ message: 'messages: final assistant content cannot end with trailing whitespace' }] : [];
}

/** Rules on calls and their results [M §3.9-3.18]. */
export function checkPairing(body: JsonObject): Violation[] {
  const turns = turnsOf(body).filter((turn) => turn.role !== 'system');
  return [
    ...checkIds(turns),
    ...turns.flatMap((turn, index) => checkAnswered(turn, turns[index + 1])),
    ...turns.flatMap((turn, index) => checkResults(turn, turns[index - 1])),
    ...checkServerTools(turns),
  ];
}

const ID = /^[a-zA-Z0-9_-]+$/;

function callsOf(turn: Turn | undefined): PlacedBlock[] {
  return turn?.role === 'assistant' ? turn.blocks.filter(({ block }) => block.type === 'tool_use') : [];
}

function checkIds(turns: readonly Turn[]): Violation[] {
  const calls = turns.flatMap((turn) => callsOf(turn));
  const malformed = turns
    .flatMap((turn) => turn.blocks)
    .flatMap(({ at, block }): Violation[] => {
      const field = block.type === 'tool_use' ? 'id' : block.type === 'tool_result' ? 'tool_use_id' : undefined;
      if (field === undefined || ID.test(stringOf(block[field]))) return [];
      return [{ message: `${at}.${block.type}.${field}: String should match pattern '^[a-zA-Z0-9_-]+$'` }];
    });
  const names = calls.flatMap(({ at, block }): Violation[] => {
    const { length } = stringOf(block.name);
    if (length >= 1 && length <= 200) return [];
    return [{ message: `${at}.tool_use.name: String should have between 1 and 200 characters` }];
  });
  const ids = calls.map(({ block }) => block.id);
  const unique = new Set(ids).size === ids.length;
  return [...malformed, ...names, ...(unique ? [] : [{ message: 'messages: `tool_use` ids must be unique' }])];
}

function checkAnswered(turn: Turn, next: Turn | undefined): Violation[] {
  const calls = callsOf(turn);
  if (calls.length === 0) return [];
  // Results behind other content do not count as answers [M §3.12].
  const end = next?.blocks.findIndex(({ block }) => block.type !== 'tool_result') ?? 0;
  const leading = end < 0 ? (next?.blocks ?? []) : (next?.blocks.slice(0, end) ?? []);
  const answered = new Set(next?.role === 'user' ? leading.map(({ block }) => block.tool_use_id) : []);
  const open = calls.map(({ block }) => stringOf(block.id)).filter((id) => !answered.has(id));
  if (open.length === 0) return [];
  return [
    {
      message: `messages.${turn.index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
    },
  ];
}

function checkResults(turn: Turn, before: Turn | undefined): Violation[] {
  const results = turn.blocks.filter(({ block }) => block.type === 'tool_result');
  const known = new Set(callsOf(before).map(({ block }) => block.id));
  const seen = new Set<unknown>();
  return results.flatMap(({ at, block }): Violation[] => {
    const id = stringOf(block.tool_use_id);
    if (!known.has(id)) {
      return [
        {
          message: `${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
        },
      ];
    }
    if (seen.has(id)) return [{ message: `${at}: each tool_use must have a single result. Found multiple for ${id}` }];
    seen.add(id);
    const parts = objectsOf(block.content);
    if (block.is_error === true && parts.some((part) => part.type !== 'text')) {
      return [{ message: `${at}.tool_result: all content must be type \`text\` if \`is_error\` is true` }];
    }
    return [];
  });
}

function checkServerTools(turns: readonly Turn[]): Violation[] {
  const open = new Set<string>();
  return turns.flatMap((turn) =>
    turn.blocks.flatMap(({ at, block }): Violation[] => {
      const type = stringOf(block.type);
      if (type === 'server_tool_use' || type === 'mcp_tool_use') {
        const id = stringOf(block.id);
        open.add(id);
        if (type === 'mcp_tool_use' || /^srvtoolu_[a-zA-Z0-9_]+$/.test(id)) return [];
        return [{ message: `${at}.server_tool_use.id: String should match pattern '^srvtoolu_[a-zA-Z0-9_]+$'` }];
      }
      if (type === 'tool_result' || !type.endsWith('_tool_result')) return [];
      const id = stringOf(block.tool_use_id);
      if (open.has(id) && isObject(block)) return [];
      return [{ message: `${at}: unexpected \`tool_use_id\` found in \`${type}\` blocks: ${id}` }];
    }),
  );
}
