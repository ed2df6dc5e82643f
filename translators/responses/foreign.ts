import { dropForeign } from '../adapt/losses.js';
import type { Part } from '../canonical/content.js';
import { TranslationError } from '../canonical/errors.js';
import type { Feature } from '../canonical/loss.js';
import type { JsonObject } from '../canonical/node.js';
import type { CanonicalRequest, Instruction } from '../canonical/request.js';
import type { EncodeRequestContext } from '../dialect.js';
import { isSamplingDefault } from '../profile.js';
import { hash32 } from '../wire/hash.js';
import { join } from '../wire/pointer.js';
import { reportCitation } from './citations.js';
import { encodeInput } from './input.js';
import { DIALECT, type Printer } from './nodes.js';
import { encodeForeignFormat, opensWithJson } from './output.js';
import { encodeForeignReasoning, foreignTier, reasons } from './settings.js';
import { encodeForeignChoice } from './tool-choice.js';
import { encodeTools } from './tools.js';

/** The create body for an adapted request of another dialect (translation.md 2.2 to 2.12). */
export function encodeForeignBody(request: CanonicalRequest, context: EncodeRequestContext): JsonObject {
  refuseFatal(request);
  for (const node of [request.output, request.reasoning, request.toolChoice, ...request.instructions]) {
    if (node !== undefined) dropForeign(node, DIALECT, context.losses);
  }
  for (const part of request.instructions.flatMap(({ parts }) => parts)) {
    dropForeign(part, DIALECT, context.losses);
    if (part.kind === 'text' && (part.citations?.length ?? 0) > 0)
      context.losses.add(part.src?.ptr ?? '', 'part.citation', 'dropped', 'instructions cite nothing');
  }
  const body: JsonObject = { model: request.model };
  const printer: Printer = {
    native: false,
    context,
    marked: marks(request, context),
    detail: detailOf(request, context),
    holds: request.toolChoice?.validated === true && request.toolChoice.only === undefined,
  };
  encodeConversation(request, printer, body, context);
  const tools = encodeTools(request.tools, printer);
  addImageTool(request, tools, context);
  if (tools.length > 0) body.tools = tools;
  encodeForeignChoice(request, tools, body, context);
  const format = encodeForeignFormat(request, context);
  if (format !== undefined) body.text = { format };
  if (request.verbosity !== undefined) body.text = { ...Object(body.text), verbosity: request.verbosity };
  const reasoning = encodeForeignReasoning(request, context);
  if (reasoning !== undefined) body.reasoning = reasoning;
  encodeSampling(request, context, body);
  encodeLimits(request, context, body);
  encodeIdentity(request, context, body);
  dropRest(request, context);
  const include = includes(request, context, body);
  if (include.length > 0) body.include = include;
  body.store = false;
  if (request.stream) body.stream = true;
  return body;
}

function refuseFatal({ candidates, cache, modalities, at }: CanonicalRequest): void {
  const refuse = (message: string, feature: string): never => {
    throw new TranslationError('unsupported', message, { path: at?.[feature] ?? '' });
  };
  if (candidates !== undefined && candidates > 1) refuse('the target gives one answer only', 'candidates');
  if (cache?.resource !== undefined) refuse('a cached prompt of another service cannot be used', 'cache.resource');
  if (modalities?.some((word) => /^(audio|video)$/i.test(word)) === true) {
    refuse('the target answers in text and pictures only', 'modalities');
  }
}

/** Leading instructions (translation.md 2.3), then the turns. */
function encodeConversation(
  request: CanonicalRequest,
  printer: Printer,
  body: JsonObject,
  context: EncodeRequestContext,
): void {
  const leading = request.instructions.map(withoutBlanks).filter((instruction) => instruction.parts.length > 0);
  const [first] = leading;
  const only = leading.length === 1 && first?.parts.length === 1 ? first.parts[0] : undefined;
  const marked = leading.some((instruction) => instruction.parts.some((part) => printer.marked?.has(part) === true));
  const plain = only?.kind === 'text' && first?.authority === 'system' && !marked;
  let items = leading;
  if (plain) {
    body.instructions = only.text;
    items = [];
  } else if (context.profile.instructionsField === 'demanded' && leading.length > 0) {
    items = joinInstructions(leading, body, context);
  }
  const input = encodeInput(request, items, printer);
  if (request.output?.kind === 'json' && Array.isArray(input) && !opensWithJson(request)) {
    context.losses.add(request.output.src?.ptr ?? '', 'output.format', 'invented', 'a message has to speak of JSON');
    input.unshift({ type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Answer in JSON.' }] });
  }
  body.input = input;
}

function withoutBlanks(instruction: Instruction): Instruction {
  if (!instruction.parts.some((part) => part.kind === 'text' && part.text.trim() === '')) return instruction;
  return { ...instruction, parts: instruction.parts.filter((part) => part.kind !== 'text' || part.text.trim() !== '') };
}

/** Some hosts want the field whatever stands in the input; media stay there. */
function joinInstructions(
  leading: readonly Instruction[],
  body: JsonObject,
  { losses }: EncodeRequestContext,
): Instruction[] {
  const texts = leading.flatMap((instruction) =>
    instruction.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])),
  );
  if (texts.length > 1) {
    losses.add(
      leading[0]?.src?.ptr ?? '',
      'instruction.join',
      'approximated',
      'the instructions are one text with blank lines',
    );
  }
  if (texts.length > 0) body.instructions = texts.join('\n\n');
  return leading
    .map((instruction) => ({ ...instruction, parts: instruction.parts.filter((part) => part.kind !== 'text') }))
    .filter((instruction) => instruction.parts.length > 0);
}

/** The parts whose cache marks are sent: the first four, on models that take them (translation.md 2.2). */
function marks(request: CanonicalRequest, { losses, profile }: EncodeRequestContext): ReadonlySet<Part> {
  const able: Part[] = [];
  const lost: string[] = [];
  const visit = (part: Part): void => {
    if (part.cache !== undefined) {
      if (part.kind === 'text' || part.kind === 'media') able.push(part);
      else lost.push(part.src?.ptr ?? '');
    }
    if (part.kind === 'result') part.parts.forEach(visit);
    else if (part.kind === 'text' && part.citations !== undefined)
      for (const citation of part.citations) reportCitation(citation, losses);
  };
  for (const tool of request.tools) if (tool.cache !== undefined) lost.push(tool.src?.ptr ?? '');
  for (const instruction of request.instructions) instruction.parts.forEach(visit);
  for (const turn of request.turns) turn.parts.forEach(visit);
  const sent = profile.cacheBreakpoints ? able.slice(0, Math.min(4, profile.cacheMarks)) : [];
  lost.push(...able.slice(sent.length).map((part) => part.src?.ptr ?? ''));
  const [path] = lost;
  if (path !== undefined) losses.add(path, 'cache.mark', 'dropped', `${lost.length} marks have no place here`);
  return new Set(sent);
}

const DETAILS: Readonly<Record<string, string>> = { LOW: 'low', MEDIUM: 'auto', HIGH: 'high' };

function detailOf({ mediaResolution, at }: CanonicalRequest, { losses }: EncodeRequestContext): string | undefined {
  if (mediaResolution === undefined) return undefined;
  const detail = DETAILS[mediaResolution.replace(/^MEDIA_RESOLUTION_/, '').toUpperCase()];
  const path = at?.mediaResolution ?? '';
  if (detail === undefined) losses.add(path, 'mediaResolution', 'dropped', 'there is no such detail here');
  else losses.add(path, 'mediaResolution', 'approximated', 'it became the detail of each image');
  return detail;
}

/** Pictures as output are a tool here (translation.md 2.2). */
function addImageTool(
  { modalities, image, at }: CanonicalRequest,
  tools: JsonObject[],
  { losses }: EncodeRequestContext,
): void {
  const wanted = modalities?.some((word) => /^image$/i.test(word)) === true;
  if (!wanted) {
    if (image !== undefined) losses.add(at?.image ?? '', 'image', 'dropped', 'no picture was asked for');
    return;
  }
  losses.add(at?.modalities ?? '', 'modalities', 'approximated', 'pictures are made by a tool');
  const declared = tools.some((tool) => tool.type === 'image_generation');
  const size = declared ? undefined : sizeOf(image?.aspectRatio);
  for (const key of Object.keys(image ?? {})) {
    if (key === 'aspectRatio' && size !== undefined) continue;
    losses.add(at?.[`image/${key}`] ?? join(at?.image ?? '', key), 'image', 'dropped', 'the tool is not told');
  }
  if (!declared) tools.push({ type: 'image_generation', ...(size !== undefined && { size }) });
}

function sizeOf(ratio: unknown): string | undefined {
  const [width, height] = typeof ratio === 'string' ? ratio.split(':').map(Number) : [];
  if (width === undefined || height === undefined || !(width > 0) || !(height > 0)) return undefined;
  if (width === height) return '1024x1024';
  return width > height ? '1536x1024' : '1024x1536';
}

/** Sampling by what the model takes (translation.md 2.11). */
function encodeSampling(request: CanonicalRequest, context: EncodeRequestContext, body: JsonObject): void {
  const { losses, profile } = context;
  const at = request.at ?? {};
  const { temperature, topP, topK, seed, presencePenalty, frequencyPenalty } = request.sampling ?? {};
  const fixed =
    profile.sampling.includes('none') ||
    (profile.sampling.includes('none-when-reasoning') && !sendsNoEffort(request, context));
  const send = (value: number | undefined, name: 'temperature' | 'topP', key: string): void => {
    if (value === undefined) return;
    const feature: Feature = `sampling.${name}`;
    if (!fixed) body[key] = value;
    else if (value !== 1 && !isSamplingDefault(profile, name, value))
      losses.add(at[feature] ?? '', feature, 'dropped', 'the model takes no sampling settings');
  };
  send(temperature, 'temperature', 'temperature');
  send(topP, 'topP', 'top_p');
  const none = (value: unknown, feature: Feature): void => {
    if (value !== undefined && value !== 0)
      losses.add(at[feature] ?? '', feature, 'dropped', 'there is no such field here');
  };
  if (topK !== undefined && !isSamplingDefault(profile, 'topK', topK)) none(topK, 'sampling.topK');
  if (seed !== undefined)
    losses.add(at['sampling.seed'] ?? '', 'sampling.seed', 'dropped', 'there is no such field here');
  none(presencePenalty, 'sampling.presencePenalty');
  none(frequencyPenalty, 'sampling.frequencyPenalty');
  if (request.stop !== undefined && request.stop.length > 0) {
    if (context.cutsStop === true)
      losses.add(at.stop ?? '', 'stop', 'approximated', 'the answer is cut behind the model');
    else losses.add(at.stop ?? '', 'stop', 'dropped', 'there is no such field here');
  }
}

/** Newer models take sampling only when reasoning is switched off [R §3.16]. */
function sendsNoEffort({ reasoning }: CanonicalRequest, { profile }: EncodeRequestContext): boolean {
  if (reasoning?.mode === 'off') return profile.thinking.canDisable;
  return reasoning?.mode !== 'on' && !profile.thinking.defaultOn;
}

function encodeLimits(request: CanonicalRequest, { losses, profile }: EncodeRequestContext, body: JsonObject): void {
  const { maxOutput, maxToolCalls, logprobs, at } = request;
  if (maxOutput !== undefined) {
    const capped = Math.min(Math.max(maxOutput, profile.minOutput ?? 1), profile.maxOutput ?? Number.POSITIVE_INFINITY);
    if (capped !== maxOutput)
      losses.add(at?.maxOutput ?? '', 'maxOutput', 'approximated', `the model's bound is ${capped}`);
    body.max_output_tokens = capped;
  }
  if (maxToolCalls !== undefined) body.max_tool_calls = maxToolCalls;
  if (logprobs !== undefined) {
    const { top = 0 } = logprobs;
    if (top > MAX_LOGPROBS)
      losses.add(at?.logprobs ?? '', 'logprobs', 'approximated', `the service gives at most ${MAX_LOGPROBS}`);
    body.top_logprobs = Math.min(top, MAX_LOGPROBS);
  }
}

const MAX_LOGPROBS = 20;
const LONGEST_ID = 64;

function encodeIdentity(request: CanonicalRequest, context: EncodeRequestContext, body: JsonObject): void {
  const { losses } = context;
  const { user, cache, metadata, at } = request;
  const shortened = (value: string, feature: Feature): string => {
    if (value.length <= LONGEST_ID) return value;
    losses.add(at?.[feature] ?? '', feature, 'approximated', 'too long, so its hash is sent');
    return hash32(value, 52);
  };
  if (user !== undefined) body.safety_identifier = shortened(user, 'user');
  if (cache?.key !== undefined) {
    if (at?.['cache.key'] === undefined || at['cache.key'] === at.user)
      losses.add(at?.user ?? '', 'cache.key', 'invented', 'taken from the id of the user');
    body.prompt_cache_key = shortened(cache.key, 'cache.key');
  }
  if (cache?.ttl !== undefined)
    losses.add(at?.['cache.ttl'] ?? at?.cache ?? '', 'cache.ttl', 'dropped', 'the service decides how long');
  if (metadata !== undefined) body.metadata = metadata;
  const tier = foreignTier(request, context);
  if (tier !== undefined) body.service_tier = tier;
}

function dropRest(
  { speech, safety, truncate, at, toolChoice }: CanonicalRequest,
  { losses, truncates }: EncodeRequestContext,
): void {
  if (speech !== undefined) losses.add(at?.speech ?? '', 'speech', 'dropped', 'the target does not speak');
  if (safety !== undefined && safety.length > 0)
    losses.add(at?.safety ?? '', 'safety', 'dropped', 'filters cannot be set');
  if (truncate === true && truncates !== true)
    losses.add(at?.truncate ?? '', 'truncate', 'dropped', 'old input is not dropped');
  if (toolChoice?.validated === true) {
    losses.add(toolChoice.src?.ptr ?? '', 'toolChoice', 'approximated', 'calls are held to schemas tool by tool');
  }
}

function includes(request: CanonicalRequest, context: EncodeRequestContext, body: JsonObject): string[] {
  const include: string[] = [];
  if (reasons(request, context)) include.push('reasoning.encrypted_content');
  if (body.top_logprobs !== undefined) include.push('message.output_text.logprobs');
  return include;
}
