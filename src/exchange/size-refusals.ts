import { readOverflow } from '../../translators/index.js';

/** What a refusal says of a request whose answer would be too long. */
export interface SizeRefusal {
  /** The most tokens that the model generates. */
  readonly cap?: number;
  /** Tokens that the model has, and those that the input takes. */
  readonly window?: {
    readonly tokens: number;
    readonly input: number;
    /** They are for the input alone, and not for the output too. */
    readonly inputAlone?: true;
  };
}

/** Words of a limit that holds for the input, whatever the cap is. */
const INPUT_ALONE = /prompt (?:is too long|length|token count)|input token count/i;

/** The words of services for a cap that is above what the model generates. */
const CAPS: readonly RegExp[] = [
  / > (\d{1,12}), which is the maximum allowed number of output tokens/i,
  /supports at most (\d{1,12}) completion tokens/i,
  /valid range of max_tokens is \[\d{1,12}, ?(\d{1,12})\]/i,
  // Of vLLM, which lowers what the prompt leaves no room for by itself.
  /cannot be greater than max_model_len=(\d{1,12})/i,
  /`max_tokens` must be less than or equal to `(\d{1,12})`/i,
];

/**
 * Reads what a refusal says of sizes; undefined when it says nothing of them. A window is one only where the refusal is of an input
 * that is too long: others count pictures or tools in the same words.
 */
export function readSizes(message: string): SizeRefusal | undefined {
  const cap = Math.max(...CAPS.map((words) => numberIn(message, words)));
  if (cap > 0) return { cap };
  const { limit, input, cap: asked } = readOverflow(message);
  if (limit === undefined || input === undefined) return undefined;
  const inputAlone = asked === undefined && INPUT_ALONE.test(message);
  return { window: { tokens: limit, input, ...(inputAlone && { inputAlone }) } };
}

function numberIn(message: string, words: RegExp): number {
  return Number(words.exec(message)?.[1] ?? 0);
}
