import type { HostFeature } from './host-words.js';
import { NO_THINKING, type ProfileFlags } from './profile.js';

/**
 * What the words of a refusal reveal about a server: flags of the profile that differ from what was assumed
 * (translation.md 2.1, [H §10.3]), for requests that are written for it, and what it does not support of the dialect, for bodies of
 * the dialect itself (hosts.md#presets).
 */
export interface RefusalRule {
  /** In lower case. A refusal fits whose place, code and message hold all of them. */
  readonly words: readonly string[];
  /** A member that the refused body holds: words that are cut short may mean another. */
  readonly holds?: readonly string[];
  readonly flags?: ProfileFlags;
  readonly unsupported?: readonly HostFeature[];
}

/** The flags of such a model. */
export const UNTHINKING: ProfileFlags = { thinking: NO_THINKING, server: { reasoningControl: 'none' } };

/** What servers of every dialect say of a model that does not reason. */
export const THINKING_REFUSALS: readonly RefusalRule[] = [
  { words: ['does not support thinking'], flags: UNTHINKING },
  { words: ['does not support reasoning'], flags: UNTHINKING },
  { words: ['thinking is not supported'], flags: UNTHINKING },
  { words: ['thinking is not enabled'], flags: UNTHINKING },
];

/** How servers say that they do not know a member, or a type of one, whatever its value is. */
const UNKNOWN = [
  'not support',
  'unsupported',
  'extra inputs',
  'extra_forbidden',
  'unknown',
  'unrecognized',
  'not allowed',
  'input tag',
  'input should be',
];

/** Rules for a member that is not known at all: that one value is refused says nothing about the others. */
export function refusedMember(member: string, unsupported: RefusalRule['unsupported']): readonly RefusalRule[] {
  return UNKNOWN.map((said) => ({ words: [member, said], unsupported }));
}
