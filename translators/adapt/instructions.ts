import type { MediaPart, Part, TextPart } from '../canonical/content.js';
import type { Losses } from '../canonical/loss.js';
import type { CanonicalRequest, Instruction } from '../canonical/request.js';
import { isBlank } from '../wire/blank.js';
import type { Adaptation } from './adaptation.js';
import { listFitted } from './fit.js';
import { dropForeign } from './losses.js';
import { type Arranged, arrange } from './pairing.js';

/** Leading instructions as the target takes them, and what of them has to be in the first user turn. */
export interface Leading {
  readonly instructions: readonly Instruction[];
  readonly moved: readonly Part[];
}

/** How the line begins by which a coding agent is counted at the service it is made for. */
const COUNTED = 'x-anthropic-billing-header:';

/**
 * The request without the line of a coding agent that is meant for its own service and differs from call to call: in front of
 * all instructions it would keep every other service from finding the prompt in its cache (configuration.md#prompt-caches).
 */
export function withoutCountedLine(request: CanonicalRequest, losses: Losses): CanonicalRequest {
  if (!request.instructions.some(({ parts }) => parts.some(isCounted))) return request;
  const instructions = request.instructions.map((instruction) => ({
    ...instruction,
    parts: instruction.parts.flatMap((part) => {
      if (!isCounted(part)) return part;
      losses.add(part, 'metadata', 'dropped', 'the billing header of the client is meaningful to its own service only');
      const end = part.text.indexOf('\n');
      const text = end < 0 ? '' : part.text.slice(end + 1);
      return isBlank(text) ? [] : { ...part, text };
    }),
  }));
  return { ...request, instructions: instructions.filter(({ parts }) => parts.length > 0) };
}

function isCounted(part: Part): part is TextPart {
  return part.kind === 'text' && part.text.startsWith(COUNTED);
}

/** Splits what a target's instruction field cannot hold from the leading instructions (translation.md 2.3). */
export function splitInstructions(request: CanonicalRequest, adaptation: Adaptation): Leading {
  const { rules, context } = adaptation;
  if (!context.target.systemField) {
    const moved: Part[] = [];
    for (const instruction of request.instructions) {
      context.losses.add(
        instruction,
        'instruction.place',
        'moved',
        'the target accepts no system text; placed at the start of the first user turn',
      );
      for (const part of instruction.parts) moved.push(...fitted(part, adaptation));
    }
    return { instructions: [], moved };
  }
  if (!request.instructions.some((instruction) => instruction.parts.some(isMedia))) {
    return { instructions: request.instructions, moved: [] };
  }
  if (rules.instructionMedia) return { instructions: withFittedMedia(request.instructions, adaptation), moved: [] };
  const moved: Part[] = [];
  const instructions = request.instructions.map((instruction) => {
    const media = instruction.parts.filter(isMedia);
    if (media.length === 0) return instruction;
    for (const part of media) {
      context.losses.add(part, 'instruction.media', 'moved', 'placed at the start of the first user turn');
      moved.push(...fitted(part, adaptation));
    }
    return { ...instruction, parts: instruction.parts.filter((part) => part.kind === 'text') };
  });
  return { instructions: instructions.filter((instruction) => instruction.parts.length > 0), moved };
}

/** What is among the words of the user is fitted as these are. */
function fitted(part: Part, { rules, context }: Adaptation): readonly Part[] {
  dropForeign(part, rules.dialect, context.losses);
  return listFitted(rules.fitPart(part, 'user', context));
}

/** Media that may stay where it is, in the forms that the target takes. */
function withFittedMedia(instructions: readonly Instruction[], { rules, context }: Adaptation): Instruction[] {
  return instructions.map((instruction) => ({
    ...instruction,
    parts: instruction.parts.flatMap((part) => {
      const found = part.kind === 'media' ? rules.fitPart(part, 'user', context) : part;
      return listFitted(found).filter((one) => one.kind === 'text' || one.kind === 'media');
    }),
  }));
}

function isMedia(part: Part): part is MediaPart {
  return part.kind === 'media';
}

/** A user turn made of the instructions, for hosts that ask for it when there is no other. */
export function seedTurn(request: CanonicalRequest, { rules, context }: Adaptation): Arranged | undefined {
  if (context.seedUser !== true) return undefined;
  const parts: Part[] = [];
  let first: Instruction | undefined;
  for (const instruction of request.instructions) {
    const texts = instruction.parts.filter((part) => part.kind === 'text' && !isBlank(part.text));
    const found = texts.flatMap((part) => listFitted(rules.fitPart(part, 'user', context)));
    if (found.length === 0) continue;
    first ??= instruction;
    parts.push(...found);
    context.losses.add(instruction, 'turn.inserted', 'invented', 'the instructions are repeated as the user turn');
  }
  if (first === undefined) return undefined;
  return arrange('user', { role: 'user', parts, src: first.src }, parts);
}
