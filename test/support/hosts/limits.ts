import type { FakeDialectName } from '../fake-backend/index.js';
import { factsOf } from './facts.js';
import type { Manner, Thinking } from './thinking.js';

/** What a host takes of one dialect, where that is less than all; written from hosts.md 3 to 5, which has the sources. */
export interface Limits {
  /** The types of tools; a function of messages has the type `custom` or none. */
  readonly tools?: readonly string[];
  /** The status by which it refuses others; 400 unless given. `misread` = it takes them for something else. */
  readonly otherTools?: number | 'misread';
  /** The types of what an input of responses holds. */
  readonly items?: readonly string[];
  /** The types of blocks and parts of a content. */
  readonly parts?: readonly string[];
  /** What becomes of others: 400 unless given. */
  readonly otherParts?: 'misread';
  /** The same in results of tools. */
  readonly resultParts?: readonly string[];
  /** The roles of messages. */
  readonly roles?: readonly string[];
  /** It wants pictures by their bytes. */
  readonly fetchless?: true;
  /** It wants the text of reasoning, not its summary. */
  readonly wholeReasoning?: true;
  /** It wants the type of messages of the assistant. */
  readonly typed?: true;
  /** Of the texts of a message of the assistant it reads the first, or it breaks the line between them. */
  readonly firstPart?: true;
  /** The only outermost members; others are refused. */
  readonly members?: readonly string[];
  /** Values of members by their path; others are refused. */
  readonly values?: Readonly<Record<string, readonly unknown[]>>;
  /**
   * Members by their path that it ignores, or does not take at their word, although the answer hangs on them. Hints that it
   * ignores are not here: nobody is told of them.
   */
  readonly ignores?: readonly string[];
  /** How its thoughts come; as the dialect has them unless given. */
  readonly thinking?: Thinking;
  /** How else its answers differ. */
  readonly manners?: readonly Manner[];
  /** Tokens for input and output together; more are refused before anything is made. */
  readonly window?: number;
  /** Stored answers: `ignores` = the history is gone in silence. */
  readonly stored?: 'refuses' | 'ignores';
}

const CHAINS = { previous_response_id: [null], conversation: [null] };

/** What is known of a host in a dialect. */
export function limitsOf(name: string, dialect: FakeDialectName): Limits | undefined {
  const limits = factsOf(name).limits?.[dialect];
  if (limits?.stored === 'refuses') return { ...limits, values: { ...CHAINS, ...limits.values } };
  if (limits?.stored === 'ignores') return { ...limits, ignores: [...Object.keys(CHAINS), ...(limits.ignores ?? [])] };
  return limits;
}
