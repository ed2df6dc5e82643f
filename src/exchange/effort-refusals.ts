import type { Effort, ThinkingProfile } from '../../translators/index.js';
import { isObject } from '../ground/index.js';

/** Ascending. */
const EFFORTS = ['minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const satisfies readonly Effort[];

const WORDS: readonly string[] = EFFORTS;

/** What a server takes for how hard a model thinks. */
export interface TakenEfforts {
  /** Ascending. */
  readonly levels: readonly Effort[];
  /** It takes the word for none. */
  readonly none: boolean;
}

/** Where bodies of the dialects have the word. */
const PLACES = [['reasoning_effort'], ['reasoning', 'effort'], ['output_config', 'effort']] as const;

/** The words of servers in front of a list of what they take. */
const LIST =
  /(?:supported (?:values|levels|efforts)(?: are)?|expected one of|must be one of|should be(?: one of)?)\b(.{0,200})/;

/** The same for one value. */
const REFUSED = /not support|unsupported|invalid|not allowed|not valid|unknown/;

/**
 * What a refusal of an effort says of those that the server takes: those that it lists, else those below the one that it refuses,
 * else all others.
 * `words` in lower case; undefined where it is about something else.
 */
export function readEfforts(
  words: string,
  body: unknown,
  known: readonly Effort[] = EFFORTS,
): TakenEfforts | undefined {
  const sent = sentEffort(body);
  if (sent === undefined || !words.includes('effort') || !REFUSED.test(words) || !namesWord(words, sent))
    return undefined;
  const listed = LIST.exec(words)?.[1] ?? '';
  const levels = EFFORTS.filter((effort) => namesWord(listed, effort) && effort !== sent);
  if (levels.length > 0) return { levels, none: namesWord(listed, 'none') && sent !== 'none' };
  const below = known.filter((effort) => EFFORTS.indexOf(effort) < WORDS.indexOf(sent));
  return { levels: below.length > 0 ? below : known.filter((effort) => effort !== sent), none: sent !== 'none' };
}

/** The word of a body for how hard the model is to think. */
function sentEffort(body: unknown): string | undefined {
  for (const place of PLACES) {
    const value = place.reduce<unknown>((node, key) => (isObject(node) ? node[key] : undefined), body);
    if (typeof value === 'string') return value;
  }
  return undefined;
}

/** How a model thinks that takes these efforts alone. */
export function thinkingWith(thinking: ThinkingProfile, { levels, none }: TakenEfforts): ThinkingProfile {
  const { defaultLevel } = thinking;
  const isDefault = defaultLevel !== undefined && levels.includes(defaultLevel);
  return {
    ...thinking,
    canDisable: thinking.canDisable && none,
    levels,
    defaultLevel: isDefault ? defaultLevel : undefined,
  };
}

function namesWord(words: string, word: string): boolean {
  return words.split(/[^a-z]+/).includes(word);
}
