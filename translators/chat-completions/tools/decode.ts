import { furtherKeys } from '../../adapt/index.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CustomTool, FunctionTool, OpaqueTool, Tool } from '../../canonical/tools.js';
import { check, DIALECT, invalid, type Kept, Keys, keep, keepUntyped, keysOf, remember, withExtra } from '../nodes.js';
import type { Request } from '../request/members.js';
import * as wire from '../wire/index.js';
import { decodeGoogleSearch, decodeWebSearch } from './hosted/web-search.js';

/** The keys around the object that the type names. */
const AROUND = { function: aroundOf('function'), custom: aroundOf('custom') };
const FUNCTION = keysOf(wire.functionTool);
const CUSTOM = keysOf(wire.customTool);

/** Everything that a request declares: tools, legacy functions, and the search of the web (translation.md 2.8). */
export function decodeTools({ tools, functions, web_search_options: search }: Request): readonly Tool[] {
  return [
    ...(tools ?? []).map((node, index) => remember(decodeTool(node, `/tools/${index}`), node)),
    ...(functions ?? []).map((node, index) => remember(decodeLegacy(node, `/functions/${index}`), node)),
    ...(search ? [decodeWebSearch(search)] : []),
  ];
}

function decodeTool(node: JsonObject, ptr: string): Tool {
  const { type, function: named, custom } = check(wire.tool, node, ptr);
  // Servers that know functions only let the type be left out.
  if (type === 'function' || (!type && named)) {
    const kept = keepUntyped(wrapper(node, 'function', `${ptr}/function`, FUNCTION, ptr), type);
    return decodeFunction(named ?? missing(`${ptr}/function`), kept);
  }
  if (type === 'custom') {
    return decodeCustom(custom ?? missing(`${ptr}/custom`), wrapper(node, 'custom', `${ptr}/custom`, CUSTOM, ptr));
  }
  const search = decodeGoogleSearch(node, ptr);
  if (search !== undefined) return search;
  if (!type) throw invalid(`${ptr}/type`, 'expected the type of a tool');
  return { kind: 'opaque', dialect: DIALECT, type, raw: node, src: { ptr } } satisfies OpaqueTool;
}

function missing(ptr: string): never {
  throw invalid(ptr, 'expected an object');
}

function aroundOf(key: string): Keys {
  return new Keys(['type', key, 'cache_control', 'prompt_cache_breakpoint']);
}

/** What of a tool has no field in the model, around the object that its type names and inside it. */
function wrapper(node: JsonObject, key: 'function' | 'custom', at: string, known: Keys, ptr: string): Kept {
  const kept = keep(node, AROUND[key], ptr);
  const inner = keep(Object(node[key]), known, at).ext?.[DIALECT];
  return inner === undefined ? kept : withExtra(kept, key, furtherKeys({ ...inner }, at));
}

function decodeFunction(node: JsonObject, kept: Kept): FunctionTool {
  const { ptr } = kept.src;
  const { name, description, parameters, strict } = check(wire.functionTool, node, `${ptr}/function`);
  return {
    kind: 'function',
    name,
    ...kept,
    ...(typeof description === 'string' && { description }),
    ...(parameters && { schema: parameters }),
    ...(typeof strict === 'boolean' && { strict }),
  };
}

/** A function of the older form is the object itself [H §4.5]. */
function decodeLegacy(node: JsonObject, ptr: string): FunctionTool {
  const { name, description, parameters } = check(wire.functionTool, node, ptr);
  return {
    kind: 'function',
    name,
    ...(typeof description === 'string' && { description }),
    ...(parameters && { schema: parameters }),
    ...keep(node, FUNCTION, ptr),
  };
}

function decodeCustom(node: JsonObject, kept: Kept): CustomTool {
  const { ptr } = kept.src;
  const { name, description, format } = check(wire.customTool, node, `${ptr}/custom`);
  const tool: CustomTool = {
    kind: 'custom',
    name,
    ...kept,
    ...(typeof description === 'string' && { description }),
  };
  if (!format) return tool;
  const { type, grammar } = check(wire.customFormat, format, `${ptr}/custom/format`);
  if (type === 'grammar' && grammar)
    return { ...tool, grammar: { syntax: grammar.syntax, definition: grammar.definition } };
  if (type === 'text') return tool;
  throw invalid(`${ptr}/custom/format/type`, 'expected text or grammar');
}
