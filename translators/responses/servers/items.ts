import { fitHostMedia, unpackSummary } from '../../adapt/index.js';
import type { JsonObject } from '../../canonical/node.js';
import { isCarrier } from '../../wire/carrier.js';
import { isObject } from '../../wire/json.js';
import { mapNodes, nodesIn, withMember } from '../../wire/shared-copies.js';
import { decodeContentPart } from '../content/decode.js';
import { encodeMedia } from '../content/media.js';
import { CLIENT, NATIVE } from '../nodes.js';
import { familyOfItem } from '../tools/hosted/families.js';
import type { Fit, Fitting } from './fitting.js';

/** Items that every host knows, or that lacks of their own are about. */
const KNOWN: ReadonlySet<unknown> = new Set([
  undefined,
  null,
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'item_reference',
  'tool_search_call',
  'tool_search_output',
  'additional_tools',
  'mcp_list_tools',
  'mcp_approval_request',
  'mcp_approval_response',
]);

/** A compaction that was made here: what it holds is sent as text. */
function isOwnSummary({ encrypted_content: carrier }: JsonObject): boolean {
  return typeof carrier === 'string' && unpackSummary(carrier) !== undefined;
}

const CALL = /^(\w+)_call$/;
const OUTPUT = /^\w+_call_output$/;

/** Items that only the service of the dialect knows: calls of built-in tools are those of functions, others are left out. */
export const withPlainItems: Fit = (body, fitting) => {
  const { losses, places } = fitting;
  const shells = shellCalls(body.input);
  const input = mapNodes(body.input, (item) => {
    if (KNOWN.has(item.type) || familyOfItem(item.type) !== undefined || isOwnSummary(item)) return item;
    const plain = plainCall(item, shells);
    const path = places.of(item);
    if (plain === undefined) {
      const compaction = item.type === 'compaction' || item.type === 'context_compaction';
      losses.add(
        path,
        compaction ? 'part.compaction' : 'part.opaque',
        'dropped',
        'the host does not support these items',
      );
      return [];
    }
    losses.add(path, 'call.family', 'approximated', 'the host supports function calls only');
    return places.keep(plain, item);
  });
  return withMember(body, 'input', input);
};

/** Outputs of the older shell tool name the item of the call, or the call, as their own id [R §8 rule 40]. */
const SHELL_OUTPUT = 'local_shell_call_output';

/** The ids of the calls of the older shell tool, by those of their items. */
function shellCalls(input: unknown): ReadonlyMap<unknown, unknown> {
  const calls = nodesIn(input).filter(({ type }) => type === 'local_shell_call');
  return new Map(calls.map(({ id, call_id }) => [id, call_id]));
}

/** The call of a function that says what the call of a built-in tool does, or its output in words. */
function plainCall(
  { type, id, call_id: named, status: _status, ...rest }: JsonObject,
  shells: ReadonlyMap<unknown, unknown>,
): JsonObject | undefined {
  const call_id = named ?? (type === SHELL_OUTPUT ? (shells.get(id) ?? id) : undefined);
  if (typeof type !== 'string' || typeof call_id !== 'string') return undefined;
  if (OUTPUT.test(type)) {
    const { output } = rest;
    return {
      type: 'function_call_output',
      call_id,
      output: typeof output === 'string' ? output : JSON.stringify(rest),
    };
  }
  const name = CALL.exec(type)?.[1];
  return name === undefined ? undefined : { type: 'function_call', call_id, name, arguments: JSON.stringify(rest) };
}

const ENCRYPTED = 'reasoning.encrypted_content';

/** What a host writes in the place of encrypted reasoning is text with spaces; what a service encrypts never has any. */
const NOT_OPAQUE = /[^\w+/=-]/;
const OPAQUE_LENGTH = 32;

/** What a service encrypted. Carriers are looked at where state of other backends is taken out. */
function isOpaque(state: string): boolean {
  return state.length >= OPAQUE_LENGTH && !NOT_OPAQUE.test(state) && !isCarrier(state);
}

/** Nothing encrypted is asked for, and what another service encrypted is not sent: such a host would read it as a thought. */
export const withoutEncryptedReasoning: Fit = (body, fitting) => {
  const { losses, places } = fitting;
  const input = mapNodes(body.input, (item) => {
    const { encrypted_content: state } = item;
    if (item.type !== 'reasoning' || typeof state !== 'string' || !isOpaque(state)) return item;
    losses.add(places.of(item), 'reasoning.state', 'dropped', 'the host cannot read it');
    return hasText(item.summary) || hasText(item.content)
      ? places.keep(withMember(item, 'encrypted_content', undefined), item)
      : [];
  });
  const { include } = body;
  const asked = Array.isArray(include) && include.includes(ENCRYPTED);
  if (asked) losses.add('/include', 'include.detail', 'dropped', 'the host has no encrypted reasoning');
  const others = asked ? include.filter((entry) => entry !== ENCRYPTED) : include;
  return withMember(withMember(body, 'input', input), 'include', others);
};

/** Reasoning has its text as content, as the host wants it back; an item without any is left out. */
export const withReasoningContent: Fit = (body, fitting) => {
  const { losses, places } = fitting;
  const input = mapNodes(body.input, (item) => {
    if (item.type !== 'reasoning' || hasText(item.content)) return item;
    const path = places.of(item);
    if (!hasText(item.summary)) {
      losses.add(path, 'reasoning.state', 'dropped', 'the host accepts reasoning as text only');
      return [];
    }
    losses.add(path, 'reasoning.text', 'moved', 'the host accepts reasoning text as content');
    const content = textsOf(item.summary).map((text) => ({ type: 'reasoning_text', text }));
    return places.keep({ ...item, content }, item);
  });
  return withMember(body, 'input', input);
};

/** Messages of the assistant are written out: the type is there, and the content is a list. That says the same. */
export const withWholeMessages: Fit = (body, { places }) => {
  const input = mapNodes(body.input, (item) => {
    const { type = 'message', role, content } = item;
    const whole = item.type !== undefined && typeof content !== 'string';
    if (role !== 'assistant' || type !== 'message' || whole) return item;
    const parts = typeof content === 'string' ? [{ type: 'output_text', text: content }] : content;
    return places.keep({ ...item, type, content: parts }, item);
  });
  return withMember(body, 'input', input);
};

function textsOf(list: unknown): string[] {
  return nodesIn(list).flatMap(({ text }) => (typeof text === 'string' && text !== '' ? [text] : []));
}

function hasText(list: unknown): boolean {
  return textsOf(list).length > 0;
}

/** Results of tools are one text, where all that they hold is text. */
export const withResultsOfOneText: Fit = (body, { places }) => {
  const input = mapNodes(body.input, (item) => {
    const { output, type } = item;
    if (typeof type !== 'string' || !OUTPUT.test(type) || !Array.isArray(output)) return item;
    if (output.some((part) => !isObject(part) || typeof part.text !== 'string')) return item;
    return places.keep({ ...item, output: textsOf(output).join('\n') }, item);
  });
  return withMember(body, 'input', input);
};

const MEDIA: ReadonlySet<unknown> = new Set(['input_image', 'input_file']);

/** Documents and pictures in messages and results as the host takes them. Throws `unsupported` where media is not to be omitted. */
export const withPlainMedia: Fit = (body, fitting) => {
  const { places } = fitting;
  const input = mapNodes(body.input, (item) => {
    const key = Array.isArray(item.output) ? 'output' : 'content';
    const parts = mapNodes(item[key], (part, index) => fitPart(part, `${places.of(item)}/${key}/${index}`, fitting));
    return places.keep(withMember(item, key, parts), item);
  });
  return withMember(body, 'input', input);
};

function fitPart(node: JsonObject, path: string, fitting: Fitting): JsonObject {
  if (!MEDIA.has(node.type)) return node;
  const part = decodeContentPart(node, path, CLIENT);
  if (part.kind !== 'media') return node;
  const fitted = fitHostMedia(part, fitting, fitting.unsupported);
  if (fitted === part) return node;
  return fitted.kind === 'text' ? { type: 'input_text', text: fitted.text } : encodeMedia(fitted, NATIVE);
}

/** Media in the results of tools follows them in a message of the user. */
export const withResultsOfText: Fit = (body, fitting) => {
  const { losses, places } = fitting;
  if (!Array.isArray(body.input)) return body;
  const out: unknown[] = [];
  let moved: JsonObject[] = [];
  let changed = false;
  const settle = (): void => {
    if (moved.length > 0) out.push({ type: 'message', role: 'user', content: moved });
    moved = [];
  };
  for (const item of body.input) {
    const isOutput = isObject(item) && typeof item.type === 'string' && OUTPUT.test(item.type);
    if (!isOutput) settle();
    const parts = isOutput ? nodesIn(item.output) : [];
    const media = parts.filter(({ type }) => MEDIA.has(type));
    if (!isObject(item) || media.length === 0) {
      out.push(item);
      continue;
    }
    changed = true;
    losses.add(places.of(item), 'result.media', 'moved', 'the media is moved to a user message after the results');
    const texts = textsOf(parts);
    const output = texts.length === 0 ? '[media below]' : texts.join('\n');
    out.push(places.keep({ ...item, output }, item));
    moved.push({ type: 'input_text', text: 'Media returned by the tool:' }, ...media);
  }
  settle();
  return changed ? { ...body, input: out } : body;
};
