import { type JsonObject, objectOf, objectsOf, stringOf } from '../json.js';
import type { StateKeeper } from '../state.js';
import type { Violation } from '../violation.js';

/** What the fake remembers of the items that it issued itself. */
export interface IssuedItems {
  /** Item id to the id of the reasoning item directly in front of it. */
  readonly reasoningOf: ReadonlyMap<string, string>;
  /** Ids of items that can be referred to. */
  readonly stored: ReadonlySet<string>;
}

const INPUT = 'input';

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
    ...checkCallIds(input),
    ...checkReferences(input, issued),
    ...checkEncrypted(input, state),
    ...checkReasoningOrder(all),
    ...checkFollowers(input, context, issued),
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
  const seen = new Set<unknown>(context.map((item) => item.id).filter((id) => id !== undefined));
  return input.flatMap((item, index): Violation[] => {
    const { id } = item;
    const type = stringOf(item.type, 'message');
    if (typeof id !== 'string' || type === 'item_reference') return [];
    const param = `input[${index}].id`;
    const duplicate = seen.has(id);
    seen.add(id);
    if (duplicate) return [{ message: `Duplicate item found with id ${id}.`, param: INPUT }];
    if (id.length > 64) {
      const message = `Invalid '${param}': string too long. Expected a string with maximum length 64, but got a string with length ${id.length} instead.`;
      return [{ message, param, code: 'string_above_max_length' }];
    }
    if (!/^[A-Za-z0-9_-]+$/.test(id)) {
      const message = `Invalid '${param}': '${id}'. Expected an ID that contains letters, numbers, underscores, or dashes, but this value contained additional characters.`;
      return [{ message, param, code: 'invalid_value' }];
    }
    const prefix = PREFIXES[type];
    if (prefix === undefined || id.startsWith(prefix)) return [];
    const message = `Invalid '${param}': '${id}'. Expected an ID that begins with '${prefix}'.`;
    return [{ message, param, code: 'invalid_value' }];
  });
}

function checkCallIds(input: readonly JsonObject[]): Violation[] {
  return input.flatMap((item, index): Violation[] => {
    if (typeof item.call_id !== 'string') return [];
    const param = `input[${index}].call_id`;
    if (item.call_id === '') {
      const message = `Invalid '${param}': empty string. Expected a string with minimum length 1.`;
      return [{ message, param, code: 'empty_string' }];
    }
    if (item.call_id.length <= 64) return [];
    const message = `Invalid '${param}': string too long. Expected a string with maximum length 64, but got a string with length ${item.call_id.length} instead.`;
    return [{ message, param, code: 'string_above_max_length' }];
  });
}

function checkReferences(input: readonly JsonObject[], issued: IssuedItems): Violation[] {
  return input.flatMap((item): Violation[] => {
    const id = stringOf(item.id);
    const bare = item.type === 'reasoning' && !item.encrypted_content && id !== '';
    if ((item.type !== 'item_reference' && !bare) || issued.stored.has(id)) return [];
    const message = `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`;
    return [{ message, status: 404, param: INPUT }];
  });
}

function checkEncrypted(input: readonly JsonObject[], state: StateKeeper): Violation[] {
  return input.flatMap((item): Violation[] => {
    const token = item.encrypted_content;
    if (item.type !== 'reasoning' || typeof token !== 'string') return [];
    const id = typeof item.id === 'string' ? item.id : undefined;
    if (state.check(token, id) === 'valid') return [];
    const message = `The encrypted content for item ${id ?? '(no id)'} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`;
    return [{ message, param: INPUT, code: 'invalid_encrypted_content' }];
  });
}

function isGenerated(item: JsonObject | undefined): boolean {
  if (!item) return false;
  const type = stringOf(item.type, 'message');
  if (type === 'message') return item.role === 'assistant';
  return (
    type === 'reasoning' ||
    type === 'item_reference' ||
    type === 'compaction' ||
    type.endsWith('_call') ||
    type === 'program'
  );
}

function checkReasoningOrder(items: readonly JsonObject[]): Violation[] {
  return items.flatMap((item, index): Violation[] => {
    if (item.type !== 'reasoning' || isGenerated(items[index + 1])) return [];
    const id = stringOf(item.id, '(no id)');
    const message = `Item '${id}' of type 'reasoning' was provided without its required following item.`;
    return [{ message, param: INPUT }];
  });
}

function checkFollowers(
  input: readonly JsonObject[],
  context: readonly JsonObject[],
  issued: IssuedItems,
): Violation[] {
  const all = [...context, ...input];
  return input.flatMap((item, index): Violation[] => {
    const reasoning = typeof item.id === 'string' ? issued.reasoningOf.get(item.id) : undefined;
    if (reasoning === undefined || item.type === 'item_reference') return [];
    if (all[context.length + index - 1]?.id === reasoning) return [];
    const type = stringOf(item.type, 'message');
    const message = `Item '${stringOf(item.id)}' of type '${type}' was provided without its required 'reasoning' item: '${reasoning}'.`;
    return [{ message, param: INPUT }];
  });
}

const OUTPUT_OF: Readonly<Record<string, string>> = {
  function_call: 'function_call_output',
  custom_tool_call: 'custom_tool_call_output',
  computer_call: 'computer_call_output',
  apply_patch_call: 'apply_patch_call_output',
  shell_call: 'shell_call_output',
};

function checkPairs(items: readonly JsonObject[]): Violation[] {
  const outputs = new Set(
    items.filter((item) => /_call_output$/.test(stringOf(item.type))).map((item) => `${item.type} ${item.call_id}`),
  );
  const open = items.filter((item) => {
    const output = OUTPUT_OF[stringOf(item.type)];
    // A shell in a container of the service needs no answer [R §8 rule 39].
    const remote = item.type === 'shell_call' && stringOf(objectOf(item.environment).type, 'local') !== 'local';
    return !remote && output !== undefined && !outputs.has(`${output} ${item.call_id}`);
  });
  const calls = new Set(items.map((item) => `${OUTPUT_OF[stringOf(item.type)]} ${item.call_id}`));
  const orphans = items.filter(
    (item) => Object.values(OUTPUT_OF).includes(stringOf(item.type)) && !calls.has(`${item.type} ${item.call_id}`),
  );
  return [
    ...open.map((item) => ({ message: `No tool output found for function call ${item.call_id}.`, param: INPUT })),
    ...orphans.map((item) => ({
      message: `No tool call found for function call output with call_id ${item.call_id}.`,
      param: INPUT,
    })),
  ];
}

const ROLES = ['assistant', 'system', 'developer', 'user'];
const ASSISTANT_PARTS = ['output_text', 'refusal'];
const OTHER_PARTS = ['input_text', 'input_image', 'input_file'];

/** Roles, and the part types that each of them takes [R §3.23, §3.24]. */
export function checkMessages(input: readonly JsonObject[]): Violation[] {
  return input.flatMap((item, index): Violation[] => {
    if (stringOf(item.type, 'message') !== 'message') return [];
    const role = stringOf(item.role);
    if (!ROLES.includes(role)) return [unsupported(role, ROLES, `input[${index}].role`)];
    const allowed = role === 'assistant' ? ASSISTANT_PARTS : OTHER_PARTS;
    return objectsOf(item.content).flatMap((part, place): Violation[] => {
      const param = `input[${index}].content[${place}]`;
      const type = stringOf(part.type);
      return allowed.includes(type) ? checkMedia(part, param) : [unsupported(type, allowed, param)];
    });
  });
}

function unsupported(value: string, allowed: readonly string[], param: string): Violation {
  const list = allowed.map((word) => `'${word}'`).join(', ');
  return { message: `Invalid value: '${value}'. Supported values are: ${list}.`, param, code: 'invalid_value' };
}

function checkMedia(part: JsonObject, at: string): Violation[] {
  if (part.type === 'input_image' && !part.image_url && !part.file_id) {
    return [
      {
        message: `Missing required parameter: '${at}.image_url'.`,
        param: `${at}.image_url`,
        code: 'missing_required_parameter',
      },
    ];
  }
  if (part.type === 'input_image' && typeof part.image_url === 'string') {
    if (/^(https?:\/\/|data:image\/[a-z.+-]+;base64,[A-Za-z0-9+/]*={0,2}$)/i.test(part.image_url)) return [];
    const message = `Invalid '${at}.image_url'. Expected a valid URL or a base64-encoded data URL, but got a value with an invalid format.`;
    return [{ message, param: `${at}.image_url`, code: 'invalid_value' }];
  }
  if (part.type !== 'input_file') return [];
  const sources = [part.file_data, part.file_url, part.file_id].filter((source) => typeof source === 'string');
  if (sources.length !== 1) {
    const message = `Invalid '${at}': exactly one of file_data, file_url, file_id is required.`;
    return [{ message, param: at, code: 'invalid_value' }];
  }
  if (part.filename && !part.file_data) {
    const message = `Invalid '${at}.filename': only allowed together with file_data.`;
    return [{ message, param: `${at}.filename`, code: 'invalid_value' }];
  }
  if (!part.file_data || /^data:[^;,]+;base64,/i.test(stringOf(part.file_data))) return [];
  const param = `${at}.file_data`;
  const message = `Invalid file data: '${param}'. Expected a base64-encoded data URL with a valid file MIME type (e.g. 'data:text/plain;base64,SGVsbG8sIFdvcmxkIQ==').`;
  return [{ message, param, code: 'invalid_value' }];
}
