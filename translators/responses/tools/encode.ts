import { dropTool, searchPlace } from '../../adapt/index.js';
import { TranslationError } from '../../canonical/errors.js';
import { NO_TOOL_SEARCH } from '../../canonical/loss.js';
import { fieldPlace, type JsonObject } from '../../canonical/node.js';
import type { CustomTool, FunctionTool, HostedSettings, HostedTool, Tool } from '../../canonical/tools.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { describeChanges, objectRoot, toStrictResponses } from '../../schema/index.js';
import { bagOf, complete, DIALECT, type Printer, spelled, spelling } from '../nodes.js';
import { encodeForeignClient } from './computer.js';
import { encodeBuiltinTool } from './hosted/tools.js';

/** Tools as declared; children of one namespace stand in one container. Foreign ones cost their losses here. */
export function encodeTools(tools: readonly Tool[], printer: Printer): JsonObject[] {
  const out: JsonObject[] = [];
  let open: { readonly key: string; readonly children: JsonObject[] } | undefined;
  for (const tool of tools) {
    const printed = encodeTool(tool, printer);
    if (printed === undefined) continue;
    const namespace = tool.kind === 'function' || tool.kind === 'custom' ? tool.namespace : undefined;
    if (namespace === undefined || (tool.kind !== 'function' && tool.kind !== 'custom')) {
      open = undefined;
      out.push(printed);
      continue;
    }
    const key = spelling(printer, tool, 'container:') ?? namespace;
    if (open?.key === key) {
      open.children.push(printed);
      continue;
    }
    const whole = bagOf(tool)?.namespace;
    if (printer.native && typeof whole === 'object' && whole !== null) {
      open = { key, children: [] };
      out.push({ ...whole });
      continue;
    }
    open = { key, children: [printed] };
    out.push(encodeContainer(tool, namespace, open.children, printer));
  }
  return out;
}

function encodeContainer(
  tool: FunctionTool | CustomTool,
  name: string,
  tools: JsonObject[],
  printer: Printer,
): JsonObject {
  const fields: JsonObject = { type: 'namespace', name, tools };
  if (spelled(printer, tool, 'container-null')) fields.description = null;
  else if (!spelled(printer, tool, 'container-bare')) fields.description = tool.namespaceDescription ?? '';
  return fields;
}

function encodeTool(tool: Tool, printer: Printer): JsonObject | undefined {
  if (printer.native || printer.context === undefined) return encodeOwnTool(tool, printer);
  const { losses } = printer.context;
  const encoded = encodeForeignTool(tool, printer, printer.context);
  // A tool that is dropped is one loss, whatever keys it had.
  if (encoded !== undefined) dropTool(tool, DIALECT, losses);
  return encoded;
}

function encodeForeignTool(tool: Tool, printer: Printer, context: EncodeRequestContext): JsonObject | undefined {
  const { losses } = context;
  switch (tool.kind) {
    case 'function':
      return encodeForeignFunction(tool, context, printer.holds === true);
    case 'custom':
      return encodeCustom(tool, printer);
    case 'hosted':
      return encodeForeignHosted(tool, context);
    case 'client':
      return encodeForeignClient(tool, losses);
    case 'opaque':
      if (tool.dialect === DIALECT) return tool.raw;
      losses.add(tool.src?.ptr ?? '', 'tool.opaque', 'dropped', `only the ${tool.dialect} dialect has it`);
      return undefined;
    default:
      return tool satisfies never;
  }
}

function encodeOwnTool(tool: Tool, printer: Printer): JsonObject {
  switch (tool.kind) {
    case 'function':
      return encodeFunction(tool, printer);
    case 'custom':
      return encodeCustom(tool, printer);
    case 'hosted':
    case 'client':
      return encodeBuiltinTool(tool, printer);
    case 'opaque':
      return tool.raw;
    default:
      return tool satisfies never;
  }
}

function encodeFunction(tool: FunctionTool, printer: Printer): JsonObject {
  const fields: JsonObject = { type: 'function', name: tool.name };
  if (tool.description !== undefined) fields.description = tool.description;
  if (tool.schema !== undefined) fields.parameters = tool.schema;
  if (tool.strict !== undefined) fields.strict = tool.strict;
  return complete(fields, tool, printer);
}

function encodeCustom(tool: CustomTool, printer: Printer): JsonObject {
  const fields: JsonObject = { type: 'custom', name: tool.name };
  if (tool.description !== undefined) fields.description = tool.description;
  if (tool.grammar !== undefined) fields.format = { type: 'grammar', ...tool.grammar };
  else if (spelled(printer, tool, 'format:text')) fields.format = { type: 'text' };
  return complete(fields, tool, printer);
}

/** `strict` is always written: left out, the service may take every property as required (hard case TOOL-16). */
function encodeForeignFunction(tool: FunctionTool, context: EncodeRequestContext, holds: boolean): JsonObject {
  const ptr = tool.src?.ptr ?? '';
  const { parameters, strict } = (holds ? heldSchema(tool, context) : undefined) ?? encodeSchema(tool, context);
  const examples = examplesText(tool, context);
  const description = [tool.description, examples].filter((text) => text !== undefined && text !== '').join('\n\n');
  if (tool.cache !== undefined && context.profile.cacheBreakpoints) {
    context.losses.add(ptr, 'cache.mark', 'dropped', 'tools cannot be marked');
  }
  return { type: 'function', name: tool.name, ...(description !== '' && { description }), parameters, strict };
}

function examplesText(tool: FunctionTool, { losses }: EncodeRequestContext): string | undefined {
  if (tool.inputExamples === undefined || tool.inputExamples.length === 0) return undefined;
  losses.add(`${tool.src?.ptr ?? ''}`, 'tool.examples', 'moved', 'the examples are moved to the description');
  return `Examples of input:\n${tool.inputExamples.map((example) => JSON.stringify(example)).join('\n')}`;
}

/** A schema that is strict as it stands (translation.md 2.9 `validated`). */
function heldSchema(
  tool: FunctionTool,
  { profile }: EncodeRequestContext,
): { parameters: JsonObject; strict: boolean } | undefined {
  if (tool.strict !== undefined || !profile.strictTools) return undefined;
  const projected = toStrictResponses(tool.schema);
  if ('refused' in projected || projected.wrapped || projected.changes.length > 0) return undefined;
  return { parameters: projected.schema, strict: true };
}

/** translation.md 3.1, 3.3, 3.4. */
function encodeSchema(tool: FunctionTool, context: EncodeRequestContext): { parameters: JsonObject; strict: boolean } {
  const { losses, profile } = context;
  const ptr = tool.src?.ptr ?? '';
  if (tool.strict === true && profile.strictTools) {
    const projected = toStrictResponses(tool.schema);
    if (!('refused' in projected)) {
      reportChanges(projected.changes, ptr, losses);
      if (projected.wrapped)
        losses.add(ptr, 'schema.root', 'approximated', 'the schema is wrapped in a property named value');
      return { parameters: projected.schema, strict: true };
    }
    losses.add(ptr, 'tool.strict', 'approximated', `calls are not held to the schema: ${projected.refused}`);
  } else if (tool.strict === true) {
    losses.add(ptr, 'tool.strict', 'approximated', 'the model does not hold calls to schemas');
  }
  const rooted = objectRoot(tool.schema, { combinators: 'wrap', bare: true });
  reportChanges(rooted.changes, ptr, losses);
  if (rooted.wrapped) losses.add(ptr, 'schema.root', 'approximated', 'the schema is wrapped in a property named value');
  return { parameters: rooted.schema, strict: false };
}

function reportChanges(
  changes: Parameters<typeof describeChanges>[0],
  ptr: string,
  losses: EncodeRequestContext['losses'],
): void {
  const detail = describeChanges(changes);
  if (detail !== undefined) losses.add(ptr, 'tool.schema', 'approximated', detail);
}

/** Hosted tools of other services as ours, where there is one (translation.md 2.8). */
function encodeForeignHosted(tool: HostedTool, context: EncodeRequestContext): JsonObject | undefined {
  const { losses } = context;
  const ptr = tool.src?.ptr ?? '';
  const { settings } = tool;
  const drop = (detail: string): undefined => {
    losses.add(ptr, 'tool.hosted', 'dropped', detail);
    return undefined;
  };
  switch (tool.family) {
    case 'webSearch':
      return encodeForeignSearch(tool, context);
    case 'codeExec':
      if (settings.fileIds !== undefined || settings.containerId !== undefined) {
        throw new TranslationError(
          'unsupported',
          'containers and files of another service are unknown to this backend',
          {
            path: ptr,
          },
        );
      }
      return { type: 'code_interpreter', container: { type: 'auto' } };
    case 'mcp':
      return encodeForeignMcp(tool, context);
    case 'imageGen':
      if (Object.keys(settings.image ?? {}).length > 0)
        losses.add(ptr, 'tool.hosted.settings', 'dropped', 'the target takes no settings for images');
      return { type: 'image_generation' };
    case 'toolSearch':
      return drop(NO_TOOL_SEARCH);
    case 'fileSearch':
      return drop('stores of another service cannot be searched');
    case 'urlFetch':
    case 'maps':
    case 'advisor':
    case 'other':
      return drop(`there is no ${tool.family} tool here`);
    default:
      return tool.family satisfies never;
  }
}

function encodeForeignSearch(tool: HostedTool, { losses, profile }: EncodeRequestContext): JsonObject {
  const ptr = tool.src?.ptr ?? '';
  const { settings } = tool;
  const lose = (field: keyof HostedSettings, kind: 'dropped' | 'approximated', detail: string): void =>
    losses.add(fieldPlace(tool, field), 'tool.hosted.settings', kind, detail);
  if (settings.blockedDomains !== undefined && settings.blockedDomains.length > 0) {
    lose('blockedDomains', 'approximated', 'blocked domains cannot be named; the set of results is wider');
  }
  if (settings.userLocation?.latitude !== undefined) lose('userLocation', 'dropped', 'coordinates are not taken');
  if (settings.maxUses !== undefined) lose('maxUses', 'dropped', 'the number of searches is not limited');
  const type = profile.toolTypes.webSearch ?? 'web_search';
  if (tool.dialect !== DIALECT && !/^(web_search|googleSearch$)/.test(tool.type)) {
    losses.add(ptr, 'tool.hosted', 'approximated', 'another search engine');
  }
  const told = { ...settings, userLocation: searchPlace(tool, losses) };
  return encodeBuiltinTool(
    { kind: 'hosted', family: 'webSearch', dialect: DIALECT, type, settings: told },
    { native: false },
  );
}

/** Servers ask for consent unless told otherwise; other dialects never ask, so this is written out. */
function encodeForeignMcp(tool: HostedTool, { losses }: EncodeRequestContext): JsonObject | undefined {
  const { server } = tool.settings;
  if (server?.restricted === true) {
    const message = 'the target cannot keep the model from the tools of a server that are switched off';
    throw new TranslationError('unsupported', message, { path: tool.src?.ptr ?? '' });
  }
  if (server?.url === undefined) {
    losses.add(tool.src?.ptr ?? '', 'tool.hosted', 'dropped', 'the server has no address');
    return undefined;
  }
  const settings = { server: { ...server, approval: server.approval ?? 'never' } };
  return encodeBuiltinTool(
    { kind: 'hosted', family: 'mcp', dialect: DIALECT, type: 'mcp', settings },
    { native: false },
  );
}
