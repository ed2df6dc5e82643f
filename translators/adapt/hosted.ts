import type {
  CallPart,
  HostedCallPart,
  HostedResultPart,
  MediaPart,
  Part,
  ResultPart,
  TextPart,
} from '../canonical/content.js';
import type { Losses } from '../canonical/loss.js';
import { hash32 } from '../wire/hash.js';
import type { HostedHistory, TargetRules } from './rules.js';

/** An assistant turn without foreign hosted calls, and what has to follow it in the user's turn. */
export interface HostedRewrite {
  readonly parts: readonly Part[];
  readonly results: readonly ResultPart[];
  readonly media: readonly MediaPart[];
}

/** Rewrites hosted calls of another service for history, by the target's rules (translation.md 2.6). */
export function rewriteHosted(parts: readonly Part[], rules: TargetRules, losses: Losses): HostedRewrite {
  if (!parts.some((part) => part.kind === 'hostedCall' || part.kind === 'hostedResult')) {
    return { parts, results: [], media: [] };
  }
  const out: Part[] = [];
  const results: ResultPart[] = [];
  const media: MediaPart[] = [];
  const kept = new Set<string>();
  const answers = new Map<string, HostedResultPart>();
  for (const part of parts) if (part.kind === 'hostedResult') answers.set(part.callId, part);

  for (const part of parts) {
    if (part.kind !== 'hostedCall' && part.kind !== 'hostedResult') {
      out.push(part);
      continue;
    }
    if (part.kind === 'hostedResult') {
      if (kept.has(part.callId)) out.push(part);
      continue;
    }
    const manner = mannerOf(part, rules);
    if (manner === 'keep') {
      kept.add(part.callId);
      out.push(part);
      continue;
    }
    const answer = answers.get(part.callId);
    const ptr = part.src?.ptr ?? '';
    if (manner === 'drop' || answer === undefined) {
      losses.add(ptr, 'hosted.call', 'dropped', `a ${part.family} call of another service`);
    } else if (manner === 'text') {
      losses.add(ptr, 'hosted.call', 'approximated', `a ${part.family} call of another service, told as text`);
      out.push(told(part, answer));
    } else if (manner === 'call') {
      losses.add(ptr, 'hosted.call', 'approximated', `a ${part.family} call of another service, told as a plain call`);
      const call = plainCall(part);
      out.push(call);
      results.push(plainResult(call, answer));
    } else {
      losses.add(ptr, 'hosted.call', 'moved', 'the picture stands in the next user turn');
      out.push({ kind: 'text', text: '[generated image below]', src: { ptr } });
      const picture = pictureOf(answer);
      if (picture !== undefined) media.push(picture);
    }
  }
  return { parts: out, results, media };
}

/** Code of a language that the target does not run is told as text. */
function mannerOf(part: HostedCallPart, rules: TargetRules): HostedHistory {
  const manner = rules.hostedHistory[part.family];
  if (manner !== 'keep' || part.family !== 'codeExec') return manner;
  const { language } = part.input;
  const runs = typeof language !== 'string' || rules.codeLanguages.includes(language.toLowerCase());
  return runs ? 'keep' : 'text';
}

function told(call: HostedCallPart, answer: HostedResultPart): TextPart {
  const code = textOf(call.input.code);
  const output = [textOf(answer.output.stdout), textOf(answer.output.stderr)].filter((text) => text !== '').join('\n');
  return { kind: 'text', text: `Ran code:\n${code}\nOutput:\n${output}`, src: call.src };
}

function plainCall(part: HostedCallPart): CallPart {
  const text = typeof part.input.arguments === 'string' ? part.input.arguments : '{}';
  return {
    kind: 'call',
    callId: `call_ilh_${hash32(part.callId, 22)}`,
    name: `${textOf(part.input.server)}__${textOf(part.input.name)}`,
    args: { text },
    src: part.src,
  };
}

function plainResult(call: CallPart, answer: HostedResultPart): ResultPart {
  return {
    kind: 'result',
    callId: call.callId,
    name: call.name,
    parts: [{ kind: 'text', text: textOf(answer.output.text) }],
    ...(answer.isError === true && { isError: true }),
    src: answer.src,
  };
}

function pictureOf(answer: HostedResultPart): MediaPart | undefined {
  const { base64, mime } = answer.output;
  if (typeof base64 !== 'string') return undefined;
  return {
    kind: 'media',
    class: 'image',
    mime: typeof mime === 'string' ? mime : 'image/png',
    data: { from: 'base64', base64 },
    src: answer.src,
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
