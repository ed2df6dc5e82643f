import { dropForeign } from '../../adapt/index.js';
import { TranslationError } from '../../canonical/errors.js';
import { fieldPlace, type JsonObject, ptrOf } from '../../canonical/node.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import type { ToolChoice, ToolRef } from '../../canonical/tools.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { bagOf } from '../content/media.js';
import { bagPlaces, check, DIALECT, fieldNames, open, ownFields, remember, remembered } from '../nodes.js';
import * as wire from '../wire/index.js';
import type { EncodedTools } from './encode.js';

const OWN = ['streamFunctionCallArguments'];
const CHOICE = fieldNames('mode', 'allowedFunctionNames', ...OWN);

/** Reads `functionCallingConfig` ([G §2.5]). */
export function decodeToolChoice(value: JsonObject, ptr: string): ToolChoice {
  const opened = open(value, CHOICE, ptr);
  const { mode, allowedFunctionNames } = check(wire.functionCallingConfig, opened.known, ptr, opened.names);
  const word = mode?.toUpperCase();
  const only = allowedFunctionNames?.map((name): ToolRef => ({ kind: 'function', name }));
  const ext = bagOf(opened.rest, ownFields(opened.known, OWN));
  const choice: ToolChoice = {
    mode: word === 'ANY' ? 'required' : word === 'NONE' ? 'none' : 'auto',
    ...(only !== undefined && only.length > 0 && { only }),
    ...(word === 'VALIDATED' && { validated: true }),
    ...(ext !== undefined && { ext }),
    src: { ptr, ...bagPlaces(opened, ptr, OWN) },
  };
  return remember(choice, value);
}

/** Encodes a choice as it came. */
export function encodeOwnToolChoice(choice: ToolChoice): JsonObject {
  const form = remembered(choice);
  if (form !== undefined) return form;
  const names = namesOf(choice.only ?? []);
  const mode =
    choice.mode === 'required' ? 'ANY' : choice.mode === 'none' ? 'NONE' : choice.validated ? 'VALIDATED' : 'AUTO';
  return {
    ...choice.ext?.generateContent,
    mode,
    ...(names.length > 0 && { allowedFunctionNames: names }),
  };
}

/** An encoded choice, with the tools it leaves: what a list does not name and cannot be forbidden is not declared. */
export interface EncodedToolChoice {
  readonly config?: JsonObject;
  readonly tools: readonly JsonObject[];
}

/** Encodes the choice of another dialect for the tools that are declared (translation.md 2.9). */
export function encodeForeignToolChoice(
  request: CanonicalRequest,
  declared: EncodedTools,
  context: EncodeRequestContext,
): EncodedToolChoice {
  const { losses } = context;
  const choice = request.toolChoice;
  if (choice !== undefined) dropForeign(choice, DIALECT, losses);
  if (declared.list.length === 0) {
    if (choice?.mode === 'required' && request.tools.length > 0) {
      if (!declared.images) throw noTool(choice);
      losses.add(choice, 'toolChoice', 'approximated', 'the target may or may not generate an image');
    }
    return { tools: [] };
  }
  if (choice?.parallel === false && choice.mode !== 'none') {
    losses.add(
      fieldPlace(choice, 'parallel'),
      'toolChoice.parallel',
      'dropped',
      'the target has no switch for parallel calls',
    );
  }
  const tools = listed(choice, declared, context);
  const config = configOf(choice, declared, tools, losses);
  reportStrict(declared, tools, config, losses);
  return { tools, ...(config !== undefined && { config }) };
}

function configOf(
  choice: ToolChoice | undefined,
  declared: EncodedTools,
  tools: readonly JsonObject[],
  losses: EncodeRequestContext['losses'],
): JsonObject | undefined {
  const names = namesOf(choice?.only ?? []);
  const callable = tools.some((entry) => 'functionDeclarations' in entry);
  if (choice?.mode === 'none') return { mode: 'NONE' };
  if (choice?.mode === 'required') {
    if (choice.only !== undefined && choice.only.length > names.length) {
      losses.add(choice, 'toolChoice', 'approximated', 'the target cannot force a tool that the service runs');
      return names.length > 0 ? { mode: 'VALIDATED', allowedFunctionNames: names } : undefined;
    }
    if (!callable) {
      losses.add(choice, 'toolChoice', 'approximated', 'the target cannot force a tool that the service runs');
      return undefined;
    }
    return { mode: 'ANY', ...(names.length > 0 && { allowedFunctionNames: names }) };
  }
  if (names.length > 0) {
    if (choice?.validated !== true) {
      losses.add(choice, 'toolChoice.list', 'approximated', 'schemas are also enforced for the listed tools');
    }
    return { mode: 'VALIDATED', allowedFunctionNames: names };
  }
  if (!callable) return undefined;
  if (choice?.validated === true) return { mode: 'VALIDATED' };
  if (declared.strict.length > 0) return { mode: 'VALIDATED' };
  return choice === undefined ? undefined : { mode: 'AUTO' };
}

/** Functions are held to their schemas all together, by a word that stands in the place of any other choice (2.8, 2.9). */
function reportStrict(
  { strict }: EncodedTools,
  tools: readonly JsonObject[],
  config: JsonObject | undefined,
  losses: EncodeRequestContext['losses'],
): void {
  if (!tools.some((entry) => 'functionDeclarations' in entry)) return;
  const validated = config?.mode === 'VALIDATED';
  for (const path of strict) {
    if (validated)
      losses.add(path, 'tool.strict', 'approximated', 'schemas are enforced for all functions, not for single ones');
    else losses.add(path, 'tool.strict', 'dropped', 'with this tool choice the target does not enforce schemas');
  }
}

/** The entries that a list of tools leaves. Functions are picked by name later, unless the list names none at all. */
function listed(
  choice: ToolChoice | undefined,
  declared: EncodedTools,
  { losses, target }: EncodeRequestContext,
): readonly JsonObject[] {
  if (choice?.only === undefined) return declared.list;
  const keys = new Set<string>();
  for (const ref of choice.only) {
    if (ref.kind === 'function' || ref.kind === 'custom') {
      keys.add('functionDeclarations');
    } else if (ref.kind === 'mcp') {
      if (choice.mode === 'required' || ref.name !== undefined) throw noTool(choice);
      keys.add(target.toolTypes.mcp ?? '');
    } else if (ref.kind === 'hosted' || ref.kind === 'client') {
      keys.add(target.toolTypes[ref.family] ?? '');
    }
  }
  const kept = declared.list.filter((entry) => Object.keys(entry).some((key) => keys.has(key)));
  if (kept.length === 0) throw noTool(choice);
  if (kept.length < declared.list.length) {
    losses.add(choice, 'toolChoice.list', 'moved', 'tools outside the list are not declared');
  }
  return kept;
}

function namesOf(refs: readonly ToolRef[]): string[] {
  return refs.flatMap((ref) => (ref.kind === 'function' || ref.kind === 'custom' ? [ref.name] : []));
}

function noTool(choice: ToolChoice): TranslationError {
  return new TranslationError('unsupported', 'a tool must be called, but the target can have none of them', {
    path: ptrOf(choice),
    dialect: DIALECT,
  });
}
