import {
  adaptRequest,
  dropForeign,
  opensWithJson,
  pictureDetail,
  reportLives,
  reportLostMarks,
} from '../../adapt/index.js';
import type { Part, ResultPart } from '../../canonical/content.js';
import { fieldPlace, type JsonObject, ptrOf } from '../../canonical/node.js';
import type { CanonicalRequest, ImageSettings, Instruction } from '../../canonical/request.js';
import type { EncodedRequest, EncodeRequestContext } from '../../dialect.js';
import { isBlank } from '../../wire/blank.js';
import { senderOf, withBag, writerOf } from '../../wire/member-coders.js';
import { join } from '../../wire/pointer.js';
import { unsentOf } from '../../wire/unsent.js';
import { reportCitation } from '../content/citations.js';
import { encodeInput } from '../content/turns.js';
import { bagOf, DIALECT, NATIVE, type Printer, remembered } from '../nodes.js';
import { fitEncoded } from '../servers/index.js';
import { encodeForeignToolChoice, encodeOwnToolChoice } from '../tools/choice.js';
import { encodeTools } from '../tools/encode.js';
import { foreignToolPrinter } from '../tools/foreign.js';
import { members, unsent } from './members.js';
import { encodeOwnOutput, planOutput } from './output.js';
import { encodeForeignReasoningSettings, encodeOwnReasoningSettings } from './reasoning.js';
import { includes } from './settings.js';

const write = writerOf(members);
const send = senderOf<EncodeRequestContext>(members);
const rest = unsentOf(unsent);

/** A request as a create body: its own fields as they came, or adapted to the target's profile. */
export function encodeRequest(given: CanonicalRequest, context: EncodeRequestContext): EncodedRequest {
  const request = adaptRequest(given, context);
  const body = request.source === DIALECT ? encodeOwn(request) : encodeForeign(request, context);
  return { body, model: request.model, stream: request.stream };
}

function encodeOwn(request: CanonicalRequest): JsonObject {
  const form = remembered(request);
  if (form !== undefined) return { ...form };
  const body: JsonObject = {};
  if (request.model !== '') body.model = request.model;
  const [texts, leading] = [true, false].map((isField) =>
    request.instructions.filter(({ src }) => (src === undefined || src.ptr === '/instructions') === isField),
  ) as [Instruction[], Instruction[]];
  if (texts.length > 0) body.instructions = texts.map(textOf).join('\n\n');
  if (request.turns.length + leading.length > 0) body.input = encodeInput(request, leading, NATIVE);
  if (request.stream) body.stream = true;
  if (request.tools.length > 0) body.tools = encodeTools(request.tools, NATIVE);
  if (request.toolChoice !== undefined) encodeOwnToolChoice(request.toolChoice, body);
  if (request.reasoning !== undefined) body.reasoning = encodeOwnReasoningSettings(request.reasoning);
  if (request.output !== undefined) body.text = { format: encodeOwnOutput(request.output) };
  write(body, request);
  return withBag(body, bagOf(request));
}

function textOf(instruction: Instruction): string {
  return instruction.parts.map((part: Part) => (part.kind === 'text' ? part.text : '')).join('\n\n');
}

/** The create body for an adapted request of another dialect (translation.md 2.2 to 2.12). */
function encodeForeign(request: CanonicalRequest, context: EncodeRequestContext): JsonObject {
  rest.refuse(request, context);
  for (const node of [request.output, request.reasoning, request.toolChoice, ...request.instructions]) {
    if (node !== undefined) dropForeign(node, DIALECT, context.losses);
  }
  for (const part of request.instructions.flatMap(({ parts }) => parts)) {
    dropForeign(part, DIALECT, context.losses);
    if (part.kind === 'text' && (part.citations?.length ?? 0) > 0)
      context.losses.add(part, 'part.citation', 'dropped', 'citations are not supported in instructions');
  }
  const body: JsonObject = { model: request.model };
  const printer: Printer = {
    native: false,
    tool: foreignToolPrinter(context, request.toolChoice?.validated === true && request.toolChoice.only === undefined),
    marked: marks(request, context),
    detail: pictureDetail(request, context.losses),
  };
  encodeConversation(request, printer, body, context);
  const tools = encodeTools(request.tools, printer);
  addImageTool(request, tools, context);
  if (tools.length > 0) body.tools = tools;
  encodeForeignToolChoice(request, tools, body, context);
  const { format, instruction } = planOutput(request, context);
  if (format !== undefined) body.text = { format };
  if (instruction !== undefined)
    body.instructions = typeof body.instructions === 'string' ? `${body.instructions}\n\n${instruction}` : instruction;
  const reasoning = encodeForeignReasoningSettings(request, context);
  if (reasoning !== undefined) body.reasoning = reasoning;
  send(body, request, context);
  rest.report(request, context);
  if (request.toolChoice?.validated === true)
    context.losses.add(request.toolChoice, 'toolChoice', 'approximated', 'schemas are enforced per tool');
  const include = includes(request, context, body);
  if (include.length > 0) body.include = include;
  body.store = false;
  if (request.stream) body.stream = true;
  return fitEncoded(body, request, context);
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
  const cached = context.target.instructionsCached !== false;
  const plain = only?.kind === 'text' && first?.authority === 'system' && !marked && cached;
  // Behind the field such a model caches nothing but what stands in messages.
  let items = cached ? leading : leading.map((instruction) => ({ ...instruction, authority: 'developer' as const }));
  if (plain) {
    body.instructions = only.text;
    items = [];
  } else if (context.target.instructionsField === 'demanded' && leading.length > 0) {
    items = joinInstructions(leading, body, context);
  }
  const input = encodeInput(request, items, printer);
  const demanded = request.output?.kind === 'json' && context.target.jsonMode;
  if (demanded && Array.isArray(input) && !opensWithJson(request)) {
    context.losses.add(
      request.output,
      'output.format',
      'invented',
      'JSON mode requires the word JSON in a message; one was added',
    );
    input.unshift({ type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Answer in JSON.' }] });
  }
  body.input = input;
}

function withoutBlanks(instruction: Instruction): Instruction {
  if (!instruction.parts.some((part) => part.kind === 'text' && isBlank(part.text))) return instruction;
  return { ...instruction, parts: instruction.parts.filter((part) => part.kind !== 'text' || !isBlank(part.text)) };
}

/** Some hosts want the field whatever the input holds; media stay there. */
function joinInstructions(
  leading: readonly Instruction[],
  body: JsonObject,
  { losses }: EncodeRequestContext,
): Instruction[] {
  const texts = leading.flatMap((instruction) =>
    instruction.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])),
  );
  if (texts.length > 1) {
    losses.add(leading[0], 'instruction.join', 'approximated', 'the instructions are joined with blank lines');
  }
  if (texts.length > 0) body.instructions = texts.join('\n\n');
  return leading
    .map((instruction) => ({ ...instruction, parts: instruction.parts.filter((part) => part.kind !== 'text') }))
    .filter((instruction) => instruction.parts.length > 0);
}

/**
 * The parts whose cache marks are sent: the first four, on models that take them (translation.md 2.2). What the assistant said
 * can hold none [R §2.5].
 */
function marks(request: CanonicalRequest, { losses, target }: EncodeRequestContext): ReadonlySet<Part> {
  const able: Part[] = [];
  const lost: string[] = [];
  const visit = (part: Part, holds: boolean): void => {
    if (part.cache !== undefined) {
      if (holds && (part.kind === 'text' || part.kind === 'media')) able.push(part);
      else lost.push(ptrOf(part));
    }
    if (part.kind === 'result') for (const child of part.parts) visit(child, !isWords(part));
    else if (part.kind === 'text' && part.citations !== undefined)
      for (const citation of part.citations) reportCitation(citation, losses);
  };
  for (const tool of request.tools) if (tool.cache !== undefined) lost.push(ptrOf(tool));
  for (const { parts } of request.instructions) for (const part of parts) visit(part, true);
  for (const { parts, role } of request.turns) for (const part of parts) visit(part, role !== 'assistant');
  const sent = target.cacheBreakpoints ? able.slice(0, Math.min(4, target.cacheMarks)) : [];
  lost.push(...able.slice(sent.length).map((part) => ptrOf(part)));
  reportLostMarks(lost, losses);
  reportLives(sent, losses);
  return new Set(sent);
}

/** Such a result is a string, and not a list of parts. */
function isWords({ parts }: ResultPart): boolean {
  return parts.length === 1 && parts[0]?.kind === 'text';
}

/** Pictures as output are a tool here (translation.md 2.2). */
function addImageTool(
  { modalities, image, at }: CanonicalRequest,
  tools: JsonObject[],
  { losses, target }: EncodeRequestContext,
): void {
  const wanted = modalities?.includes('image') === true;
  if (!wanted || target.toolTypes.imageGen === undefined) {
    const detail = wanted ? 'the host does not generate images' : 'no image was requested';
    if (wanted) losses.add(at?.modalities ?? '', 'modalities', 'dropped', detail);
    if (image !== undefined) losses.add(at?.image ?? '', 'image', 'dropped', detail);
    return;
  }
  losses.add(at?.modalities ?? '', 'modalities', 'approximated', 'images are generated by a tool');
  const declared = tools.some((tool) => tool.type === 'image_generation');
  const size = declared ? undefined : sizeOf(image?.aspectRatio);
  for (const path of image === undefined ? [] : lostOf(image, size !== undefined))
    losses.add(path, 'image', 'dropped', 'the tool is not sent');
  if (!declared) tools.push({ type: 'image_generation', ...(size !== undefined && { size }) });
}

/** Where the settings of an image are that the tool does not take. */
function lostOf(image: ImageSettings, shaped: boolean): string[] {
  const { aspectRatio, size, ext = {} } = image;
  const fields = [
    ...(aspectRatio !== undefined && !shaped ? ['aspectRatio'] : []),
    ...(size === undefined ? [] : ['size']),
  ];
  const bags = Object.values<object>(ext).flatMap((bag) => Object.keys(bag));
  return [
    ...fields.map((name) => fieldPlace(image, name)),
    ...bags.map((key) => image.src?.at?.[`ext.${key}`] ?? join(ptrOf(image), key)),
  ];
}

function sizeOf(ratio: string | undefined): string | undefined {
  const [width, height] = ratio?.split(':').map(Number) ?? [];
  if (width === undefined || height === undefined || !(width > 0) || !(height > 0)) return undefined;
  if (width === height) return '1024x1024';
  return width > height ? '1536x1024' : '1024x1536';
}
