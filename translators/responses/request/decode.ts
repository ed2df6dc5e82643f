import { keepRest } from '../../adapt/index.js';
import type { Part, TextPart } from '../../canonical/content.js';
import { type JsonObject, type Node, ptrOf } from '../../canonical/node.js';
import type { CanonicalRequest, Instruction } from '../../canonical/request.js';
import type { DecodeRequestContext, StoredItems } from '../../dialect.js';
import { isObject } from '../../wire/json.js';
import { readerOf } from '../../wire/member-coders.js';
import { type Draft, knownKeys, schemaOf } from '../../wire/members.js';
import { type Conversation, decodeInput, decodeStringInput } from '../content/turns.js';
import { CLIENT, check, DIALECT, fault, origin, remember } from '../nodes.js';
import { decodeToolChoice } from '../tools/choice.js';
import { decodeTools } from '../tools/decode.js';
import * as wire from '../wire/index.js';
import { members, type Request } from './members.js';
import { decodeOutput } from './output.js';
import { decodeReasoningSettings } from './reasoning.js';

const BODY = schemaOf(members);
const KNOWN = knownKeys(members);
const read = readerOf(members, keepRest);

/** A create body as the model sees it (translation.md 2.2). Throws `invalid_request` with the path of the fault. */
export function decodeRequest(body: unknown, context: DecodeRequestContext): CanonicalRequest {
  const raw = check(wire.looseObject, body, '');
  const fields = check(BODY, raw, '');
  requireSource(fields, context);
  const whole = wholeInput(fields, context.state);
  const from = origin(raw, KNOWN, '');
  const bag: JsonObject = { ...from.ext?.[DIALECT] };
  const at: Record<string, string> = {};
  const request: Draft['out'] = {
    source: DIALECT,
    model: fields.model ?? context.model ?? '',
    stream: fields.stream ?? context.stream ?? false,
    ...conversation(fields, whole),
    tools: fields.tools ? decodeTools(fields.tools, '/tools', CLIENT) : [],
    toolChoice: decodeToolChoice(fields.tool_choice, fields.parallel_tool_calls, fields.tools ?? [], CLIENT),
    output: fields.text?.format ? decodeOutput(fields.text.format, CLIENT) : undefined,
    reasoning: fields.reasoning ? decodeReasoningSettings(fields.reasoning, CLIENT) : undefined,
    at,
    src: from.src,
  };
  const resolved = whole?.chained === true ? { ...fields, previous_response_id: null } : fields;
  read(resolved, raw, { out: request, bag, at });
  if (Object.keys(bag).length > 0) request.ext = { [DIALECT]: bag };
  // What the context adds is not in the body.
  const isBody = whole === undefined && request.model === (raw.model ?? '') && request.stream === (raw.stream ?? false);
  return isBody ? remember(request, raw) : request;
}

/** Something must be there to answer [R §7 row 1]. */
function requireSource(fields: Request, { counting, model }: DecodeRequestContext): void {
  const chained = fields.previous_response_id ?? fields.conversation ?? fields.prompt;
  if (!fields.model && model === undefined && !fields.prompt && counting !== true) {
    throw fault(CLIENT, '/model', 'the name of a model is missing');
  }
  const empty = fields.input === undefined || fields.input === null;
  if (empty && !chained && !fields.instructions) throw fault(CLIENT, '/input', 'there is no input to answer');
}

function conversation(fields: Request, whole: WholeInput | undefined): Conversation {
  const found =
    whole === undefined
      ? givenInput(fields.input)
      : atNames(decodeInput(whole.items, whole.pointer, CLIENT), whole.names);
  if (typeof fields.instructions !== 'string') return found;
  const ptr = '/instructions';
  const part: TextPart = { kind: 'text', text: fields.instructions, src: { ptr } };
  const first: Instruction = { authority: 'system', parts: [part], src: { ptr } };
  return { instructions: [first, ...found.instructions], turns: found.turns };
}

function givenInput(input: Request['input']): Conversation {
  if (typeof input === 'string') return decodeStringInput(input, '/input');
  return decodeInput(input ?? [], (index) => `/input/${index}`, CLIENT);
}

/** The items of a request, with what a host kept in the place of its name. */
interface WholeInput {
  readonly items: readonly JsonObject[];
  /** The earlier conversation is among them. */
  readonly chained: boolean;
  /** JSON Pointer of an item: what was restored is where the body names it. */
  pointer(index: number): string;
  /** The places that hold only a name of what belongs there. */
  readonly names: ReadonlySet<string>;
}

/**
 * Puts the earlier conversation in front of the input, and stored items in the place of references to them. undefined
 * when the host kept nothing that this body names.
 */
function wholeInput(fields: Request, state: StoredItems | undefined): WholeInput | undefined {
  if (state === undefined) return undefined;
  const earlier = kept(state, fields.previous_response_id);
  const given: readonly unknown[] =
    typeof fields.input === 'string' ? [userMessage(fields.input)] : (fields.input ?? []);
  const named = given.some((item) => kept(state, referenceOf(item)) !== undefined);
  if (earlier === undefined && !named) return undefined;
  const items: JsonObject[] = [];
  const pointers: string[] = [];
  const names = new Set(['/previous_response_id']);
  const add = (item: JsonObject, pointer: string): void => {
    items.push(item);
    pointers.push(pointer);
  };
  for (const item of earlier ?? []) add(item, '/previous_response_id');
  given.forEach((item, index) => {
    const pointer = typeof fields.input === 'string' ? '/input' : `/input/${index}`;
    // What is no object is refused where the items are read.
    const restored = kept(state, referenceOf(item));
    if (restored !== undefined) names.add(pointer);
    for (const one of restored ?? [item as JsonObject]) add(one, pointer);
  });
  return { items, chained: earlier !== undefined, pointer: (index) => pointers[index] ?? '/input', names };
}

/** The conversation with every restored node at the place that names it: the body holds nothing below that. */
function atNames({ instructions, turns }: Conversation, names: ReadonlySet<string>): Conversation {
  const place = <N extends Node>(node: N): N => {
    const named = /^\/(?:input\/\d+|[^/]+)(?=\/)/.exec(ptrOf(node))?.[0];
    if (named === undefined || !names.has(named)) return node;
    const { at: _at, ...src } = { ...node.src, ptr: named };
    return { ...node, src };
  };
  const part = <P extends Part>(given: P): P => {
    const placed = place(given);
    return 'parts' in placed ? { ...placed, parts: placed.parts.map(place) } : placed;
  };
  return {
    instructions: instructions.map((given) => ({ ...place(given), parts: given.parts.map(part) })),
    turns: turns.map((given) => ({ ...place(given), parts: given.parts.map(part) })),
  };
}

function kept(state: StoredItems, id: string | null | undefined): readonly JsonObject[] | undefined {
  return typeof id === 'string' && Object.hasOwn(state, id) ? state[id] : undefined;
}

/** The id that an item refers to; the type of a reference may be left out [R §2.5]. */
function referenceOf(item: unknown): string | undefined {
  if (!isObject(item) || typeof item.id !== 'string') return undefined;
  const bare = (item.type === undefined || item.type === null) && item.role === undefined;
  return item.type === 'item_reference' || bare ? item.id : undefined;
}

function userMessage(text: string): JsonObject {
  return { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
}
