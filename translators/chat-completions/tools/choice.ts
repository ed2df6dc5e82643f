import { createToolIndex, createToolRefs } from '../../adapt/index.js';
import { type JsonObject, ptrOf } from '../../canonical/node.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import type { ToolChoice, ToolRef } from '../../canonical/tools.js';
import type { EncodeRequestContext } from '../../dialect.js';
import type { ToolChoiceForms } from '../../target/server-words.js';
import { check, invalid, keep, keysOf, type Mutable, rawOf, remember, remembered, restore } from '../nodes.js';
import type { Request } from '../request/members.js';
import { serverFlags } from '../servers/index.js';
import * as wire from '../wire/index.js';
import type { EncodedTool } from './encode.js';

const CHOICE = keysOf(wire.toolChoice);
const FUNCTION_CHOICE = keysOf(wire.functionChoice);
const PTR = '/tool_choice';
const LEGACY = '/function_call';
const PARALLEL = '/parallel_tool_calls';

/**
 * The choice between calling and not calling, in any of its spellings [H §4.2, §4.5]; undefined when none is given. Throws
 * `invalid_request` for a word or a type that is unknown.
 */
export function decodeToolChoice(request: Request): ToolChoice | undefined {
  const { tool_choice: choice, function_call: legacy, parallel_tool_calls: parallel, functions } = request;
  const out = choice ? decodeChoice(choice) : legacy ? decodeLegacy(legacy) : undefined;
  if (typeof parallel === 'boolean') {
    if (out === undefined) return { mode: 'auto', parallel, src: { ptr: PARALLEL } };
    const settled = { ...out, parallel, src: { ptr: PTR, ...out.src, at: { parallel: PARALLEL } } };
    const form = remembered(out);
    return form === undefined ? settled : remember(settled, form);
  }
  // Functions of the older form are called one at a time.
  if (functions && functions.length > 0) return { mode: 'auto', src: { ptr: '/functions' }, ...out, parallel: false };
  return out;
}

function decodeChoice(choice: string | JsonObject): ToolChoice {
  if (typeof choice === 'string') {
    const mode = modeOf(choice, PTR);
    return { mode, src: { ptr: PTR, ...(mode !== choice && { raw: { word: choice } }) } };
  }
  const { type, allowed_tools: allowed, ...single } = check(wire.toolChoice, choice, PTR);
  const kept = keep(choice, CHOICE, PTR);
  const out: Mutable<ToolChoice> = { mode: 'required', ...kept };
  if (type === 'allowed_tools' || (!type && allowed)) {
    if (!allowed) throw invalid(`${PTR}/allowed_tools`, 'expected an object');
    out.mode = allowed.mode;
    out.only = allowed.tools.map((node, index) => {
      const ptr = `${PTR}/allowed_tools/tools/${index}`;
      return refOf(check(wire.toolChoice, node, ptr), ptr);
    });
  } else out.only = [refOf({ type, ...single }, PTR)];
  return remember(out, choice);
}

function refOf(
  {
    type,
    function: named,
    custom,
  }: { type?: string | null; function?: { name: string } | null; custom?: { name: string } | null },
  ptr: string,
): ToolRef {
  // One server takes the name of a function without its type [H §4.2].
  if (named && (!type || type === 'function')) return { kind: 'function', name: named.name };
  if (custom && type === 'custom') return { kind: 'custom', name: custom.name };
  if (type === 'function' || type === 'custom') throw invalid(`${ptr}/${type}/name`, 'expected the name of a tool');
  throw invalid(`${ptr}/type`, 'expected function, custom or allowed_tools');
}

function decodeLegacy(choice: string | JsonObject): ToolChoice {
  if (typeof choice === 'string') return { mode: modeOf(choice, LEGACY), src: { ptr: LEGACY } };
  const { name } = check(wire.functionChoice, choice, LEGACY);
  const kept = keep(choice, FUNCTION_CHOICE, LEGACY);
  return remember({ mode: 'required', only: [{ kind: 'function', name }], ...kept }, choice);
}

/** `any` is how one vendor spells a forced call [H §4.2]. */
function modeOf(word: string, ptr: string): ToolChoice['mode'] {
  switch (word) {
    case 'auto':
    case 'none':
    case 'required':
      return word;
    case 'any':
      return 'required';
    default:
      throw invalid(ptr, 'expected none, auto or required');
  }
}

/** The choice as it came, with what it says of calls at once. */
export function encodeOwnToolChoice(choice: ToolChoice): JsonObject {
  const ptr = choice.src?.ptr;
  const legacy = ptr === LEGACY || ptr === '/functions';
  const parallel = choice.parallel !== undefined && !legacy && { parallel_tool_calls: choice.parallel };
  if (ptr === PARALLEL || ptr === '/functions') return { ...parallel };
  const form = remembered(choice) ?? encodeOwnForm(choice, legacy);
  return { [legacy ? 'function_call' : 'tool_choice']: form, ...parallel };
}

function encodeOwnForm(choice: ToolChoice, legacy: boolean): unknown {
  const { mode, only } = choice;
  if (only === undefined) return rawOf(choice).word ?? mode;
  const [first] = only;
  if (legacy && first?.kind === 'function') return restore({ name: first.name }, choice);
  return restore(encodeChoice(mode, only), choice);
}

function encodeRef(ref: ToolRef): JsonObject {
  if (ref.kind === 'custom') return { type: 'custom', custom: { name: ref.name } };
  return { type: 'function', function: { name: ref.kind === 'function' ? ref.name : '' } };
}

function encodeChoice(mode: ToolChoice['mode'], only: readonly ToolRef[]): JsonObject {
  const [first] = only;
  if (first !== undefined && only.length === 1 && mode === 'required') return encodeRef(first);
  return { type: 'allowed_tools', allowed_tools: { mode, tools: only.map(encodeRef) } };
}

const FREE_SEARCH = 'the model chooses when to search';

/** What becomes of a foreign choice. */
export interface PlannedChoice {
  readonly tools: readonly EncodedTool[];
  /** `tool_choice` and `parallel_tool_calls`. */
  readonly members: JsonObject;
  /** The model must not reason, because it could not be held to the choice. */
  readonly stopsReasoning: boolean;
}

/**
 * The choice of a foreign request among the tools that the server can have (translation.md 2.9). `reasons` says whether
 * the model would reason.
 */
export function encodeForeignToolChoice(
  { toolChoice: choice, tools: declared }: CanonicalRequest,
  tools: readonly EncodedTool[],
  reasons: boolean,
  context: EncodeRequestContext,
): PlannedChoice {
  const { losses, target } = context;
  if (choice === undefined || tools.length === 0) {
    if (choice?.mode === 'required' && declared.length > 0)
      losses.add(choice, 'toolChoice', 'approximated', FREE_SEARCH);
    return { tools, members: {}, stopsReasoning: false };
  }
  const flags = serverFlags(target);
  const ptr = ptrOf(choice);
  if (choice.validated === true)
    losses.add(choice, 'toolChoice', 'approximated', 'schemas are enforced per tool, if the server supports it');
  const parallel: JsonObject = {};
  if (choice.parallel === false && choice.mode !== 'none') {
    if (flags.parallelField) parallel.parallel_tool_calls = false;
    else
      losses.add(
        choice.src?.at?.parallel ?? ptr,
        'toolChoice.parallel',
        'dropped',
        'the server does not support this switch',
      );
  }
  const thinking = target.forcedWithThinking ? flags.toolChoiceThinking : 'auto';
  const forms = reasons ? weaker(flags.toolChoice, thinking) : flags.toolChoice;
  const wanted = neededForm(choice);
  const stopsReasoning =
    reasons && !allows(forms, wanted) && allows(flags.toolChoice, wanted) && target.thinking.canDisable;
  const planned = planForm(choice, tools, stopsReasoning ? flags.toolChoice : forms, context);
  const told = Object.keys(planned.members).length + planned.tools.length === 0 ? {} : parallel;
  return { ...planned, members: { ...planned.members, ...told }, stopsReasoning };
}

/** Forms of a choice, weakest first. */
const FORMS: readonly ToolChoiceForms[] = ['ignored', 'auto', 'noNamed', 'all'];

function allows(forms: ToolChoiceForms, wanted: ToolChoiceForms): boolean {
  return FORMS.indexOf(forms) >= FORMS.indexOf(wanted);
}

function weaker(one: ToolChoiceForms, other: ToolChoiceForms): ToolChoiceForms {
  return allows(one, other) ? other : one;
}

/** The weakest forms in which the server can be held to a choice; a single tool can be forced among no others. */
function neededForm({ mode }: ToolChoice): ToolChoiceForms {
  return mode === 'required' ? 'noNamed' : 'auto';
}

function planForm(
  choice: ToolChoice,
  tools: readonly EncodedTool[],
  forms: ToolChoiceForms,
  { losses, target }: EncodeRequestContext,
): Pick<PlannedChoice, 'tools' | 'members'> {
  const { mode, only } = choice;
  const flags = serverFlags(target);
  if (mode === 'none' && forms === 'ignored') {
    losses.add(choice, 'toolChoice', 'moved', 'the tools are not declared, so none can be called');
    return { tools: [], members: {} };
  }
  if (mode !== 'required' && only === undefined)
    return { tools, members: forms === 'ignored' ? {} : { tool_choice: mode } };
  const available = createToolIndex(tools.map(({ tool }) => tool));
  const refs = only?.filter((ref) => available.has(ref));
  if (refs?.length === 0) {
    losses.add(choice, 'toolChoice', 'approximated', FREE_SEARCH);
    return { tools, members: {} };
  }
  const single = mode === 'required' && only?.length === 1;
  if (refs !== undefined && (single ? forms === 'all' : flags.allowedTools && allows(forms, neededForm(choice)))) {
    if (refs.length < (only?.length ?? 0))
      losses.add(choice, 'toolChoice.list', 'approximated', 'a listed tool is not available');
    return { tools, members: { tool_choice: encodeChoice(mode, refs) } };
  }
  const kept = only === undefined ? tools : filtered(tools, only);
  if (only !== undefined) losses.add(choice, 'toolChoice.list', 'moved', 'only the tools of the list are declared');
  if (mode !== 'required') return { tools: kept, members: forms === 'ignored' ? {} : { tool_choice: mode } };
  if (allows(forms, 'noNamed')) return { tools: kept, members: { tool_choice: flags.requiredWord } };
  losses.add(choice, 'toolChoice', 'approximated', 'the server cannot be forced to call a tool');
  return { tools: kept, members: forms === 'ignored' ? {} : { tool_choice: 'auto' } };
}

function filtered(tools: readonly EncodedTool[], only: readonly ToolRef[]): readonly EncodedTool[] {
  const listed = createToolRefs(only);
  return tools.filter(({ tool }) => listed.names(tool));
}
