import { readDirectives } from './directives.js';
import { isObject } from './json.js';
import type { Finish, Plan, PlannedCall, Tool, Usage, View } from './plan.js';
import { synthesise, wordsOf } from './synthesis.js';
import { countTokens, firstTokens } from './tokens.js';

const LONGEST_QUOTE = 600;
const MOST_CALLS = 8;

/** What the simulated model answers. A pure function of the view, so that every dialect gets the same answer. */
export function planAnswer(view: View): Plan {
  if (readDirectives(view.userText).refuse) {
    return { finish: { kind: 'refusal', text: 'I cannot help with that.' } };
  }
  const calls = planCalls(view);
  const text = calls.length > 0 ? announce(calls, view) : answerText(view);
  const whole: Plan = {
    ...(view.wantsReasoning ? { reasoning: planReasoning(view, calls) } : {}),
    ...(text === '' ? {} : { text }),
    ...(calls.length > 0 ? { calls } : {}),
    finish: { kind: calls.length > 0 ? 'calls' : 'end' },
  };
  return limit(stopEarly(whole, view.stop), view.maxTokens);
}

/** Token counts of a plan: words, and what the prompt's prefix saves on later turns. */
export function countUsage(view: View, plan: Plan, cache: 'implicit' | 'marked' | 'none'): Usage {
  const cached = cache !== 'none' && view.laterTurn ? view.prefixTokens : 0;
  const cacheWritten = cache === 'marked' && !view.laterTurn ? view.prefixTokens : 0;
  const reasoning = countTokens((plan.reasoning ?? []).join(' '));
  return { input: view.promptTokens, cached, cacheWritten, output: reasoning + countVisible(plan), reasoning };
}

function countVisible(plan: Plan): number {
  const calls = (plan.calls ?? []).reduce((sum, call) => sum + countCall(call), 0);
  const refusal = plan.finish.kind === 'refusal' ? countTokens(plan.finish.text) : 0;
  return countTokens(plan.text ?? '') + calls + refusal;
}

function countCall(call: PlannedCall): number {
  return 1 + countTokens(call.cut ?? call.input ?? JSON.stringify(call.arguments, null, 1));
}

function planCalls(view: View): PlannedCall[] {
  const { only } = view.choice;
  const allowed = only ? view.tools.filter((tool) => only.includes(tool.name)) : view.tools;
  const mayCall = view.choice.mode === 'required' || (view.choice.mode === 'auto' && view.results.length === 0);
  const [first] = allowed;
  if (!mayCall || first === undefined) return [];
  const mentioned = findMentions(view.userText, allowed).slice(0, view.parallel ? MOST_CALLS : 1);
  const words = wordsOf(
    view.userText,
    view.tools.map((tool) => tool.name),
  );
  return (mentioned.length > 0 ? mentioned : [first]).map((tool) => {
    if (tool.freeform) return { name: tool.name, arguments: {}, input: quote(view.userText) };
    const value = tool.schema ? synthesise(tool.schema, words) : {};
    return { name: tool.name, arguments: isObject(value) ? value : {} };
  });
}

/** The tools that the prompt names, one entry per mention, in the order of the prompt. */
function findMentions(text: string, tools: readonly Tool[]): Tool[] {
  const mentions = tools.flatMap((tool) => {
    const name = tool.name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const found = text.matchAll(new RegExp(`(?<![\\w-])${name}(?![\\w-])`, 'g'));
    return Array.from(found, (match) => ({ at: match.index, tool }));
  });
  return mentions.sort((a, b) => a.at - b.at).map((mention) => mention.tool);
}

/** Forced calls come without a word before them [M §2.6]. */
function announce(calls: readonly PlannedCall[], view: View): string {
  if (view.choice.mode === 'required') return '';
  return `I will call ${calls.map((call) => call.name).join(' and ')}.`;
}

function answerText(view: View): string {
  const words = wordsOf(view.userText);
  switch (view.output.kind) {
    case 'json':
      return JSON.stringify({ model: view.model, answer: view.results[0]?.text ?? quote(view.userText) });
    case 'schema':
      return JSON.stringify(synthesise(view.output.schema, words));
    case 'enum':
      return view.output.values[0] ?? '';
    case 'text':
      return view.results.length > 0 ? reportResults(view) : greet(view);
  }
}

function greet(view: View): string {
  const said = view.userText.trim() === '' ? 'You wrote no text.' : `You said: "${quote(view.userText)}"`;
  return [`Hello from ${view.model}, a simulated model.`, said, describeMedia(view.media)].filter(Boolean).join(' ');
}

function reportResults(view: View): string {
  const reports = view.results.map(
    (result) => `${result.name} ${result.isError ? 'failed' : 'returned'}: ${quote(result.text)}`,
  );
  return [`Here is what the tools say. ${reports.join('; ')}.`, describeMedia(view.media)].filter(Boolean).join(' ');
}

function describeMedia(media: readonly string[]): string {
  const images = media.filter((kind) => kind.startsWith('image'));
  const others = media.filter((kind) => !kind.startsWith('image'));
  const seen =
    images.length > 0 ? [`${images.length} image${images.length > 1 ? 's' : ''} (${images.join(', ')})`] : [];
  if (others.length > 0) seen.push(`${others.length} file${others.length > 1 ? 's' : ''} (${others.join(', ')})`);
  return seen.length > 0 ? `I see ${seen.join(' and ')}.` : '';
}

function planReasoning(view: View, calls: readonly PlannedCall[]): string[] {
  const read =
    view.results.length > 0
      ? `The tools have answered ${view.results.length} time${view.results.length > 1 ? 's' : ''}.`
      : `The user wrote: "${quote(view.userText)}"`;
  const next = calls.length > 0 ? `I need ${calls.map((call) => call.name).join(' and ')}.` : 'I can answer at once.';
  return [`**Reading the turn**\n\n${read}`, `**Choosing the next step**\n\n${next}`];
}

function quote(text: string): string {
  const points = Array.from(text.trim());
  return points.length > LONGEST_QUOTE ? `${points.slice(0, LONGEST_QUOTE).join('')}…` : points.join('');
}

function stopEarly(plan: Plan, stop: readonly string[]): Plan {
  const text = plan.text ?? '';
  const hits = stop
    .map((sequence) => ({ sequence, at: text.indexOf(sequence) }))
    .filter((hit) => hit.at >= 0)
    .sort((a, b) => a.at - b.at);
  const [hit] = hits;
  if (!hit) return plan;
  const { calls: _calls, text: _text, ...rest } = plan;
  const kept = text.slice(0, hit.at);
  return { ...rest, ...(kept === '' ? {} : { text: kept }), finish: { kind: 'stop', sequence: hit.sequence } };
}

/** Cuts the plan at the token cap: reasoning counts first, then text, then whole calls. */
function limit(plan: Plan, maxTokens: number | undefined): Plan {
  if (maxTokens === undefined) return plan;
  const cut: Finish = { kind: 'length' };
  const reasoning = plan.reasoning?.join('\n\n') ?? '';
  let left = maxTokens - countTokens(reasoning);
  if (left < 0) return { reasoning: [firstTokens(reasoning, maxTokens)], finish: cut };
  const kept = plan.reasoning ? { reasoning: plan.reasoning } : {};
  const text = plan.text ?? '';
  if (countTokens(text) > left) return { ...kept, ...(left > 0 ? { text: firstTokens(text, left) } : {}), finish: cut };
  left -= countTokens(text);
  const calls: PlannedCall[] = [];
  for (const call of plan.calls ?? []) {
    left -= countCall(call);
    if (left < 0) return { ...kept, ...(text ? { text } : {}), ...(calls.length > 0 ? { calls } : {}), finish: cut };
    calls.push(call);
  }
  return plan;
}
