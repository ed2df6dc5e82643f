/** What a refusal says of a request whose answer would be too long. */
export interface SizeRefusal {
  /** The most tokens that the model generates. */
  readonly cap?: number;
  /** Tokens that the model has for input and output together, and those that the input takes. */
  readonly window?: { readonly tokens: number; readonly input: number };
}

/** The words of services for a window that input and cap exceed together, in each the number that counts. */
const WINDOWS: readonly { readonly tokens: RegExp; readonly input: RegExp }[] = [
  { tokens: /maximum context length is (\d{1,12})/i, input: /has (\d{1,12}) input tokens/i },
  { tokens: /maximum context length is (\d{1,12})/i, input: /\((\d{1,12}) in the messages/i },
  { tokens: / > (\d{1,12})/, input: /exceed context limit: (\d{1,12})/i },
];

/** The same for a cap that is above what the model generates. */
const CAPS: readonly RegExp[] = [
  / > (\d{1,12}), which is the maximum allowed number of output tokens/i,
  /supports at most (\d{1,12}) completion tokens/i,
  /valid range of max_tokens is \[\d{1,12}, ?(\d{1,12})\]/i,
  // Of vLLM, which lowers what the prompt leaves no room for by itself.
  /cannot be greater than max_model_len=(\d{1,12})/i,
  /`max_tokens` must be less than or equal to `(\d{1,12})`/i,
];

/** Reads what a refusal says of sizes; undefined when it says nothing of them. */
export function readSizes(message: string): SizeRefusal | undefined {
  for (const { tokens, input } of WINDOWS) {
    const window = { tokens: numberIn(message, tokens), input: numberIn(message, input) };
    if (window.tokens > 0 && window.input > 0) return { window };
  }
  const cap = Math.max(...CAPS.map((words) => numberIn(message, words)));
  return cap > 0 ? { cap } : undefined;
}

function numberIn(message: string, words: RegExp): number {
  return Number(words.exec(message)?.[1] ?? 0);
}
