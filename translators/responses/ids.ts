import type { CallIdRule, NameRule } from '../adapt/rules.js';
import { hash32, hashHex } from '../wire/hash.js';

/** Legal tool names [R §3.26]. */
export const NAMES: NameRule = { pattern: /^[A-Za-z0-9_-]{1,64}$/, character: /^[A-Za-z0-9_-]$/, limit: 64 };

/** Legal call ids [R §3.9, §3.8]. */
export const CALL_IDS: CallIdRule = { pattern: /^[A-Za-z0-9_-]{1,64}$/ };

/** The id of an answer of another service; the nonce keeps it from being guessed (translation.md 5.4). */
export function responseId(backendId: string, nonce: string): string {
  return `resp_il${hashHex(`${backendId}\n${nonce}`, 32)}`;
}

/** Prefixes of the ids of items, by type [R §4.2]. */
const PREFIXES: Readonly<Record<string, string>> = {
  message: 'msg',
  function_call: 'fc',
  custom_tool_call: 'ctc',
  reasoning: 'rs',
  web_search_call: 'ws',
  file_search_call: 'fs',
  code_interpreter_call: 'ci',
  image_generation_call: 'ig',
  mcp_call: 'mcp',
  computer_call: 'cu',
  shell_call: 'sh',
  local_shell_call: 'lsh',
  apply_patch_call: 'apc',
  compaction: 'cmp',
};

/** The id of the item at `index` of an answer (translation.md 5.4). */
export function itemId(type: string, response: string, index: number): string {
  return `${PREFIXES[type] ?? 'item'}_il${hash32(`${response}\n${index}`, 24)}`;
}

/** The id of the container in which another service ran code. */
export function containerId(response: string): string {
  return `cntr_il${hash32(`${response}\ncontainer`, 24)}`;
}
