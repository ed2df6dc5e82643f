import type { MediaPart, Part } from '../canonical/content.js';
import type { CanonicalRequest, Instruction } from '../canonical/request.js';
import type { Adaptation } from './adaptation.js';
import type { Arranged } from './pairing.js';

/** Leading instructions as the target takes them, and what of them has to stand in the first user turn. */
export interface Leading {
  readonly instructions: readonly Instruction[];
  readonly moved: readonly Part[];
}

/** Splits what a target's instruction field cannot hold from the leading instructions (translation.md 2.3). */
export function splitInstructions(request: CanonicalRequest, { rules, context }: Adaptation): Leading {
  if (!context.profile.systemField) {
    const moved: Part[] = [];
    for (const instruction of request.instructions) {
      const ptr = instruction.src?.ptr ?? '';
      context.losses.add(
        ptr,
        'instruction.place',
        'moved',
        'the target takes no system text; it leads the first user turn',
      );
      moved.push(...instruction.parts);
    }
    return { instructions: [], moved };
  }
  if (rules.instructionMedia || !request.instructions.some((instruction) => instruction.parts.some(isMedia))) {
    return { instructions: request.instructions, moved: [] };
  }
  const moved: MediaPart[] = [];
  const instructions = request.instructions.map((instruction) => {
    const media = instruction.parts.filter(isMedia);
    if (media.length === 0) return instruction;
    for (const part of media) {
      context.losses.add(part.src?.ptr ?? '', 'instruction.media', 'moved', 'it leads the first user turn');
    }
    moved.push(...media);
    return { ...instruction, parts: instruction.parts.filter((part) => part.kind === 'text') };
  });
  return { instructions: instructions.filter((instruction) => instruction.parts.length > 0), moved };
}

function isMedia(part: Part): part is MediaPart {
  return part.kind === 'media';
}

/** A user turn made of the instructions, for hosts that ask for it when there is no other. */
export function seedTurn(request: CanonicalRequest, { context }: Adaptation): Arranged | undefined {
  const first = request.instructions[0];
  if (context.seedUser !== true || first === undefined) return undefined;
  context.losses.add(first.src?.ptr ?? '', 'turn.inserted', 'invented', 'the instructions also stand as the user turn');
  const parts = request.instructions.flatMap((instruction) => instruction.parts);
  return { role: 'user', turn: { role: 'user', parts, src: first.src }, parts, pure: false };
}
