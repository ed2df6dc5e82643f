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
import { ptrOf } from '../canonical/node.js';
import type { HostedHistory, TargetRules } from '../target/target.js';
import { hash32 } from '../wire/hash.js';
import { legalCallId } from './ids.js';

/** A stretch of an assistant turn without foreign hosted calls, and what has to follow it in the user's turn. */
export interface HostedRewrite {
  readonly parts: readonly Part[];
  readonly results: readonly ResultPart[];
  readonly media: readonly MediaPart[];
}

/**
 * Rewrites hosted calls of another service for history, by the target's rules (translation.md 2.6). What came after
 * the result of a call that is sent as a plain one is a stretch of its own, so that it is behind the result. Where a
 * call of the client is open in front, nothing is cut: its result has to come last.
 */
export function rewriteHosted(parts: readonly Part[], rules: TargetRules, losses: Losses): readonly HostedRewrite[] {
  if (!parts.some((part) => part.kind === 'hostedCall' || part.kind === 'hostedResult')) {
    return [{ parts, results: [], media: [] }];
  }
  const stretches: HostedRewrite[] = [];
  let out: Part[] = [];
  let results: ResultPart[] = [];
  let media: MediaPart[] = [];
  const add = (part: Part): void => {
    const stretch = { parts: out, results, media };
    if (isAnswered(stretch)) {
      stretches.push(stretch);
      out = [];
      results = [];
      media = [];
    }
    out.push(part);
  };
  const kept = new Set<string>();
  const answers = new Map<string, HostedResultPart>();
  const called = new Set<string>();
  for (const part of parts) {
    if (part.kind === 'hostedResult') answers.set(part.callId, part);
    else if (part.kind === 'hostedCall') called.add(part.callId);
  }

  for (const part of parts) {
    if (part.kind !== 'hostedCall' && part.kind !== 'hostedResult') {
      add(part);
      continue;
    }
    if (part.kind === 'hostedResult') {
      if (kept.has(part.callId)) add(part);
      else if (!called.has(part.callId)) {
        losses.add(part, 'hosted.call', 'dropped', `a ${part.family} result whose call is not sent`);
      }
      continue;
    }
    const manner = mannerOf(part, rules);
    if (manner === 'keep') {
      kept.add(part.callId);
      add(part);
      continue;
    }
    const answer = answers.get(part.callId);
    const ptr = ptrOf(part);
    if (manner === 'drop' || answer === undefined) {
      losses.add(part, 'hosted.call', 'dropped', `a ${part.family} call of another service`);
    } else if (manner === 'text') {
      losses.add(part, 'hosted.call', 'approximated', `a ${part.family} call of another service, sent as text`);
      add(told(part, answer));
    } else if (manner === 'call') {
      losses.add(
        part,
        'hosted.call',
        'approximated',
        `a ${part.family} call of another service, sent as an ordinary call`,
      );
      const call = plainCall(part, rules);
      add(call);
      results.push(plainResult(call, answer));
    } else {
      losses.add(part, 'hosted.call', 'moved', 'the image is moved to the next user turn');
      add({ kind: 'text', text: '[generated image below]', src: { ptr } });
      const picture = pictureOf(answer);
      if (picture !== undefined) media.push(picture);
    }
  }
  stretches.push({ parts: out, results, media });
  return stretches;
}

/** Whether a stretch holds calls, and the results of all of them. */
export function isAnswered({ parts, results }: HostedRewrite): boolean {
  return results.length > 0 && parts.filter(({ kind }) => kind === 'call').length === results.length;
}

/** Code of a language that the target does not run is sent as text. */
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

function plainCall(part: HostedCallPart, { callIds }: TargetRules): CallPart {
  const text = typeof part.input.arguments === 'string' ? part.input.arguments : '{}';
  return {
    kind: 'call',
    callId: legalCallId(`call_ilh_${hash32(part.callId, 22)}`, callIds),
    // Of a call that its service shows as one of a function nothing shows which server ran it.
    name: [textOf(part.input.server), textOf(part.input.name)].filter((word) => word !== '').join('__'),
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

/** The picture that a hosted call made; undefined when it made none. */
export function pictureOf(answer: HostedResultPart): MediaPart | undefined {
  const { base64, mime } = answer.output;
  if (answer.family !== 'imageGen' || typeof base64 !== 'string') return undefined;
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
