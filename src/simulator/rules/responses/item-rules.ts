import { type JsonObject, objectOf, objectsOf, stringOf } from '../json.js';
import type { StateKeeper } from '../state.js';
import { type Violation, when } from '../violation.js';
import { tooLong } from './violations.js';

/** What a service remembers of the items that it issued itself. */
export interface IssuedItems {
  /** Item id to the id of the reasoning item directly in front of it. */
  readonly reasoningOf: ReadonlyMap<string, string>;
  /** Ids of items that can be referred to. */
  readonly stored: Pick<ReadonlySet<string>, 'has'>;
}

/** The input as items; a string is one user message. */
export function itemsOf(input: unknown): JsonObject[] {
  return typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : objectsOf(input);
}

const INPUT = { param: 'input' };

/**
 * Rules on input items [R §3.1-3.14].
 * @param input the request's own items
 * @param context stored items in front of them
 */
export function checkItems(
  input: readonly JsonObject[],
  context: readonly JsonObject[],
  issued: IssuedItems,
  state: StateKeeper,
): Violation[] {
  const all = [...context, ...input];
  return [
    ...checkIds(input, context),
    ...input.flatMap((item) => [...checkReference(item, issued), ...checkEncrypted(item, state)]),
    ...all.flatMap((item, index) =>
      when(
        item.type === 'reasoning' && !isGenerated(all[index + 1]),
        `Item '${stringOf(item.id, '(no id)')}' of type 'reasoning' was provided without its required following item.`,
        INPUT,
      ),
    ),
    ...input.flatMap((item, index) => checkFollower(item, all[context.length + index - 1], issued)),
    ...checkPairs(all),
  ];
}

const PREFIXES: Readonly<Record<string, string>> = {
  message: 'msg',
  function_call: 'fc',
  function_call_output: 'fc',
  custom_tool_call: 'ctc',
  reasoning: 'rs',
  web_search_call: 'ws',
  computer_call: 'cu',
};

function checkIds(input: readonly JsonObject[], context: readonly JsonObject[]): Violation[] {
  const seen = new Set<unknown>(context.map(({ id }) => id));
  return input.flatMap(({ id, type }, index) => {
    if (typeof id !== 'string' || type === 'item_reference') return [];
    const twice = seen.has(id);
    seen.add(id);
    const param = `input[${index}].id`;
    const prefix = PREFIXES[stringOf(type, 'message')] ?? '';
    const where = { param, code: 'invalid_value' };
    return [
      ...when(twice, `Duplicate item found with id ${id}.`, INPUT),
      ...tooLong(param, id, 64),
      ...when(
        !/^[A-Za-z0-9_-]+$/.test(id),
        `Invalid '${param}': '${id}'. Expected an ID that contains letters, numbers, underscores, or dashes, but this value contained additional characters.`,
        where,
      ),
      ...when(
        !id.startsWith(prefix),
        `Invalid '${param}': '${id}'. Expected an ID that begins with '${prefix}'.`,
        where,
      ),
    ];
  });
}

/** References, and reasoning without its state, name what is stored. */
function checkReference({ type, id = '', encrypted_content: token }: JsonObject, { stored }: IssuedItems): Violation[] {
  const refers = type === 'item_reference' || (type === 'reasoning' && !token && id !== '');
  return when(
    refers && !stored.has(stringOf(id)),
    `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
    { ...INPUT, status: 404 },
  );
}

function checkEncrypted({ type, id, encrypted_content: token }: JsonObject, state: StateKeeper): Violation[] {
  if (type !== 'reasoning' || typeof token !== 'string') return [];
  const binding = typeof id === 'string' ? id : undefined;
  return when(
    state.check(token, binding) !== 'valid',
    `The encrypted content for item ${binding ?? '(no id)'} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`,
    { ...INPUT, code: 'invalid_encrypted_content' },
  );
}

function isGenerated(item: JsonObject | undefined): boolean {
  if (item === undefined) return false;
  const type = stringOf(item.type, 'message');
  if (type === 'message') return item.role === 'assistant';
  return /^(?:reasoning|item_reference|compaction|program|.*_call)$/.test(type);
}

/** An item that the service issued behind reasoning follows it again. */
function checkFollower({ id, type }: JsonObject, before: JsonObject | undefined, issued: IssuedItems): Violation[] {
  const reasoning = typeof id === 'string' ? issued.reasoningOf.get(id) : undefined;
  return when(
    reasoning !== undefined && type !== 'item_reference' && before?.id !== reasoning,
    `Item '${id}' of type '${stringOf(type, 'message')}' was provided without its required 'reasoning' item: '${reasoning}'.`,
    INPUT,
  );
}

/** Calls that are answered by items of their type with `_output`. */
const ANSWERED = /^(?:function_call|custom_tool_call|computer_call|apply_patch_call|shell_call)$/;

function checkPairs(items: readonly JsonObject[]): Violation[] {
  const keys = new Set(items.map(({ type, call_id: id }) => `${type} ${id}`));
  return items.flatMap(({ type: word, call_id: id, environment }) => {
    const type = stringOf(word);
    // A shell in a container of the service needs no answer [R §8 rule 39].
    const remote = type === 'shell_call' && stringOf(objectOf(environment).type, 'local') !== 'local';
    const open = ANSWERED.test(type) && !remote && !keys.has(`${type}_output ${id}`);
    const call = type.replace(/_output$/, '');
    const stray = call !== type && ANSWERED.test(call) && !keys.has(`${call} ${id}`);
    return [
      ...when(open, `No tool output found for function call ${id}.`, INPUT),
      ...when(stray, `No tool call found for function call output with call_id ${id}.`, INPUT),
    ];
  });
}
