import { createHash } from 'node:crypto';
import type {
  CallPart,
  CanonicalRequest,
  CanonicalResponse,
  FinishKind,
  Part,
  ReasoningPart,
  TextPart,
  Tool,
} from '../../translators/index.js';
import { readDirectives } from './directives.js';
import { drawPicture } from './media/picture.js';
import { samplePattern } from './pattern.js';
import { isObject, type JsonObject } from './rules/index.js';
import type { Service } from './service.js';
import { HARMLESS_COMMAND, synthesise } from './synthesis.js';
import { countTokens, firstTokens } from './tokens.js';
import { hasCacheMark, sum, type View } from './view.js';

const LONGEST_QUOTE = 600;
const MOST_CALLS = 8;

/** What the simulated model answers: reasoning, then a picture, text and calls. */
type Plan = Pick<CanonicalResponse, 'parts' | 'finish'>;

/**
 * The answer to a request, for every dialect the same. It follows from the request alone; ids and opaque state are
 * derived from `seed`.
 * @param body the request as it came
 */
export function planAnswer(
  request: CanonicalRequest,
  view: View,
  service: Service,
  body: JsonObject,
  seed: string,
): CanonicalResponse {
  const plan = planParts(request, view);
  const hash = createHash('sha256').update(seed).digest('hex');
  const parts = withState(plan.parts, request, service, body, hash);
  const kept = service.caches === 'always' || hasCacheMark(request);
  const { prefixTokens, laterTurn } = view;
  const usage = {
    input: view.promptTokens,
    cacheRead: kept && laterTurn ? prefixTokens : 0,
    cacheWrite: service.caches === 'marked' && kept && !laterTurn ? prefixTokens : 0,
    output: sum(plan.parts.map(tokensOf)) + countTokens(plan.finish.detail ?? ''),
    reasoning: sum(plan.parts.map((part) => (part.kind === 'reasoning' ? tokensOf(part) : 0))),
  };
  const id = `resp_${hash.slice(0, 48)}`;
  return { source: 'simulator', id, model: request.model, ...plan, parts, usage, tier: 'default' };
}

/** The parts with their ids, and with the state that the service issues for them. */
function withState(
  planned: readonly Part[],
  { reasoning: settings, source }: CanonicalRequest,
  { state, showsReasoning, callPrefix }: Service,
  body: JsonObject,
  hash: string,
): Part[] {
  const shown = settings?.show === 'default' ? showsReasoning : settings?.show !== 'none';
  const parts = planned.map((part, index): Part => {
    if (part.kind === 'reasoning') return { ...part, id: `rs_${hash.slice(0, 24)}`, text: shown ? part.text : [] };
    return part.kind === 'call' ? { ...part, callId: `${callPrefix}${hash.slice(0, 22)}${index}` } : part;
  });
  if (parts[0]?.kind !== 'reasoning' || !state.isWanted(body)) return parts;
  // Of parallel calls only the first is signed [G §4].
  const call = parts.findIndex(({ kind }) => kind === 'call');
  const acted = call >= 0 ? call : parts.findIndex(({ kind }) => kind === 'text');
  const carrying = state.on === 'reasoning' ? 0 : acted;
  return parts.map((part, index) => {
    if (index !== carrying) return part;
    const payload = JSON.stringify({ [state.key]: state.keeper.issue(state.binding(part)) });
    return { ...part, state: [{ dialect: source, domain: 'simulator', kind: 'reasoning', payload }] };
  });
}

function ending(kind: FinishKind, more: object = {}): Plan['finish'] {
  return { kind, raw: kind, dialect: 'simulator', ...more };
}

function planParts(request: CanonicalRequest, view: View): Plan {
  if (readDirectives(view.userText).refuse) {
    const more = { detail: 'I cannot help with that.', category: 'general_harms' };
    return { parts: [], finish: ending('refusal', more) };
  }
  const calls = planCalls(request, view);
  const picture = calls.length > 0 ? undefined : planPicture(request, view.userText);
  const text = calls.length > 0 ? announce(calls, request) : picture?.alone ? '' : answerText(request, view);
  const parts: Part[] = [
    ...(wantsReasoning(request) ? [planReasoning(view, calls)] : []),
    ...(picture === undefined ? [] : [picture.part]),
    ...(text === '' ? [] : [{ kind: 'text', text } as const]),
    ...calls,
  ];
  const whole = { parts, finish: ending(calls.length > 0 ? 'tool_use' : 'end') };
  return limit(stopEarly(whole, request.stop ?? []), request.maxOutput);
}

/** A request to show reasoning is a request to reason. */
function wantsReasoning({ reasoning }: CanonicalRequest): boolean {
  if (reasoning === undefined || reasoning.mode === 'off') return false;
  return reasoning.mode === 'on' || (reasoning.show !== 'default' && reasoning.show !== 'none');
}

type Callable = Extract<Tool, { readonly kind: 'function' | 'custom' }>;

/**
 * Calls of the tools that were asked for: those that the user names, else one where the request demands a call. Agents run what is called,
 * so that nothing in it comes from the prompt; results end the turn, as a demand for further calls leads to tools that were not called yet.
 */
function planCalls({ tools, toolChoice }: CanonicalRequest, { userText, results, called }: View): CallPart[] {
  const { mode = 'auto', only, parallel = true } = toolChoice ?? {};
  const names = only?.flatMap((one) => ('name' in one && one.name !== undefined ? [one.name] : []));
  const callable = tools.filter((tool): tool is Callable => tool.kind === 'function' || tool.kind === 'custom');
  const allowed = names === undefined ? callable : callable.filter(({ name }) => names.includes(name));
  if (mode === 'none' || (mode === 'auto' && results.length > 0)) return [];
  const open = results.length === 0 ? allowed : allowed.filter(({ name }) => !called.has(name));
  const mentioned = findMentions(userText, open).slice(0, parallel ? MOST_CALLS : 1);
  const demanded = mode === 'required' ? [open[0] ?? allowed[0]].filter((tool) => tool !== undefined) : [];
  return (mentioned.length > 0 ? mentioned : demanded).map(callOf);
}

function callOf(tool: Callable): CallPart {
  const { name, namespace } = tool;
  const call = { kind: 'call', callId: '', name, ...(namespace !== undefined && { namespace }) } as const;
  if (tool.kind === 'custom') return { ...call, args: { value: {} }, freeform: freeformFor(tool) };
  const value = tool.schema === undefined ? {} : synthesise(tool.schema);
  return { ...call, args: { value: isObject(value) ? value : {} } };
}

/** A text that fits the grammar of a tool, where that is a regular expression. */
function freeformFor({ grammar }: Extract<Tool, { readonly kind: 'custom' }>): string {
  const sample = grammar?.syntax === 'regex' ? samplePattern(grammar.definition) : undefined;
  return sample ?? HARMLESS_COMMAND;
}

/** The tools that the prompt names, one entry per mention, in the order of the prompt. */
function findMentions(text: string, tools: readonly Callable[]): Callable[] {
  const mentions = tools.flatMap((tool) => {
    const name = tool.name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const found = text.matchAll(new RegExp(`(?<![\\w-])${name}(?![\\w-])`, 'g'));
    return Array.from(found, (match) => ({ at: match.index, tool }));
  });
  return mentions.sort((a, b) => a.at - b.at).map((mention) => mention.tool);
}

const PICTURE = /\b(?:picture|image|photo|draw|paint|sketch)/i;

/**
 * A picture where pictures are asked for, alone unless text is asked for too; with a tool for it at hand, where the model
 * must use it or the user speaks of a picture.
 */
function planPicture({ tools, toolChoice, modalities = [], image }: CanonicalRequest, text: string) {
  const wanted = modalities.map((word) => word.toUpperCase());
  const tool = tools.find((one) => one.kind === 'hosted' && one.family === 'imageGen');
  const forced = toolChoice?.only?.some((one) => one.kind === 'hosted' && one.family === 'imageGen') === true;
  const byTool = tool?.kind === 'hosted' && (forced || PICTURE.test(text));
  if (!wanted.includes('IMAGE') && !byTool) return undefined;
  const size = byTool ? tool.settings.image?.size : image?.aspectRatio;
  const base64 = drawPicture(text, typeof size === 'string' ? size : '').toString('base64');
  const part = { kind: 'media', class: 'image', mime: 'image/png', data: { from: 'base64', base64 } } as const;
  return { part, alone: !byTool && !wanted.includes('TEXT') };
}

/** Forced calls come without a word before them [M §2.6]. */
function announce(calls: readonly CallPart[], { toolChoice }: CanonicalRequest): string {
  return toolChoice?.mode === 'required' ? '' : `I will call ${namesOf(calls)}.`;
}

function namesOf(calls: readonly CallPart[]): string {
  return calls.map((call) => call.name).join(' and ');
}

function answerText({ output, model }: CanonicalRequest, view: View): string {
  switch (output?.kind) {
    case 'json':
      return JSON.stringify({ model, answer: view.results[0]?.text ?? quote(view.userText) });
    case 'schema':
      return JSON.stringify(synthesise(output.schema ?? {}));
    case 'enum':
      return output.enum?.[0] ?? '';
    default:
      return [view.results.length > 0 ? report(view) : greet(model, view), describeMedia(view.media)]
        .filter(Boolean)
        .join(' ');
  }
}

function greet(model: string, { userText }: View): string {
  const said = userText.trim() === '' ? 'You wrote no text.' : `You said: "${quote(userText)}"`;
  return `Hello from ${model}, a simulated model. ${said}`;
}

function report({ results }: View): string {
  const reports = results.map(
    ({ name, isError, text }) => `${name} ${isError ? 'failed' : 'returned'}: ${quote(text)}`,
  );
  return `Here is what the tools say. ${reports.join('; ')}.`;
}

function describeMedia(media: readonly string[]): string {
  const counted = (word: string, kinds: readonly string[]): string[] =>
    kinds.length === 0 ? [] : [`${kinds.length} ${word}${kinds.length > 1 ? 's' : ''} (${kinds.join(', ')})`];
  const images = media.filter((kind) => kind.startsWith('image'));
  const others = media.filter((kind) => !kind.startsWith('image'));
  return media.length === 0 ? '' : `I see ${[...counted('image', images), ...counted('file', others)].join(' and ')}.`;
}

function planReasoning({ results, userText }: View, calls: readonly CallPart[]): ReasoningPart {
  const read =
    results.length > 0
      ? `The tools have answered ${results.length} time${results.length > 1 ? 's' : ''}.`
      : `The user wrote: "${quote(userText)}"`;
  const next = calls.length > 0 ? `I need ${namesOf(calls)}.` : 'I can answer at once.';
  return {
    kind: 'reasoning',
    text: [`**Reading the turn**\n\n${read}`, `**Choosing the next step**\n\n${next}`],
  };
}

function quote(text: string): string {
  const points = Array.from(text.trim());
  return points.length > LONGEST_QUOTE ? `${points.slice(0, LONGEST_QUOTE).join('')}…` : points.join('');
}

function stopEarly(plan: Plan, stop: readonly string[]): Plan {
  const at = plan.parts.findIndex(({ kind }) => kind === 'text');
  const part = plan.parts[at];
  if (part?.kind !== 'text') return plan;
  const hits = stop.map((stopSequence) => ({ stopSequence, end: part.text.indexOf(stopSequence) }));
  const [hit] = hits.filter(({ end }) => end >= 0).sort((a, b) => a.end - b.end);
  if (hit === undefined) return plan;
  const kept: readonly TextPart[] = hit.end === 0 ? [] : [{ ...part, text: part.text.slice(0, hit.end) }];
  const finish = ending('stop_sequence', { stopSequence: hit.stopSequence });
  return { parts: [...plan.parts.slice(0, at), ...kept], finish };
}

/** Cuts the plan at the token cap: the part that reaches it is the last; calls and pictures come whole or not at all. */
function limit(plan: Plan, most = Number.POSITIVE_INFINITY): Plan {
  const parts: Part[] = [];
  let left = most;
  for (const part of plan.parts) {
    const cost = tokensOf(part);
    if (cost > left) {
      if (part.kind === 'reasoning') parts.push({ ...part, text: [firstTokens(part.text.join('\n\n'), left)] });
      if (part.kind === 'text' && left > 0) parts.push({ ...part, text: firstTokens(part.text, left) });
      return { parts, finish: ending('max_tokens') };
    }
    left -= cost;
    parts.push(part);
  }
  return plan;
}

function tokensOf(part: Part): number {
  switch (part.kind) {
    case 'text':
      return countTokens(part.text);
    case 'reasoning':
      return countTokens(part.text.join(' '));
    case 'call':
      return 1 + countTokens(part.freeform ?? JSON.stringify(part.args.value, null, 1));
    default:
      return 0;
  }
}
