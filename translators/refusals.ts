import { NO_THINKING, type ProfileFlags } from './profile.js';

/**
 * What the words of a refusal teach about a server: flags of the profile that are otherwise than was taken for granted
 * (translation.md 2.1, [H §10.3]).
 */
export interface RefusalRule {
  /** In lower case. A refusal fits whose place, code and message hold all of them. */
  readonly words: readonly string[];
  readonly flags: ProfileFlags;
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
