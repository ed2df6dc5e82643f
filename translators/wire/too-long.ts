import type { CanonicalError, Overflow } from '../canonical/errors.js';

/**
 * How services say that the input is too long where no code tells it [H §9.2]. Most speak of the length, size or window of
 * a context, and not all of the others are of one dialect.
 */
const TOO_LONG: readonly RegExp[] = [
  /context (?:length|window|size)/i,
  /prompt is too long/i,
  /input is (?:too long for|longer than)/i, // Bedrock; ourselves
  /maximum prompt length is/i, // xAI
  /reduce the length of the messages/i, // Groq, Cerebras
  /exceeded model token limit|token limit exceeded/i, // Moonshot; others
  /exceed context limit|maximum context limit/i, // Anthropic, with its cap; servers behind LiteLLM
  /input tokens exceed the configured limit/i, // OpenAI
  /`inputs` tokens \+ `max_new_tokens` must be/i, // TGI, Together
  /prompt exceeds max length/i, // Z.ai
  /range of input length should be/i, // Qwen
  /current length is \d+ while limit is/i, // Cerebras
  /token count.{0,100}exceeds|exceeds the maximum number of (?:input )?tokens/i, // Gemini
];

/** Whether a refusal says that the input is longer than the model takes. */
export function isTooLong(message: string): boolean {
  return TOO_LONG.some((words) => words.test(message));
}

/** Where refusals have sizes, in the words of vendors and servers. */
const LIMIT =
  /(?:tokens|\+ \d+) > (\d+)|(?<!\d)(\d+) maximum context|(?:allowed|context (?:size|length)|(?:model|prompt) length|token limit|the limit|(?:while|configured) limit)(?: is| of)?(?: only)?[ :(]{1,3}(\d+)|must be <= (\d+)/i;
const INPUT =
  /(?<!\d)(\d+) (?:in the messages|of text input|tokens from the input)|(?:has|contains(?: at least)?|count(?: is| of)?|too long:|context limit:|request|input|length|resulted in|current length is|given:) \(?(?:about )?(\d+)/i;
/** With the cap, where nothing else is told. */
const REQUESTED = /requested:? (?:about )?(\d+)(?!\d| output)/i;
const CAP =
  /(?<!\d)(\d+) (?:in the (?:completion|output)|output tokens|tokens for the completion|`max_new_tokens`)|\+ (\d+) >|is too large: (\d+)/i;

/** Between thousands. */
const SEPARATORS = /(?<=\d),(?=\d{3}(?!\d))/g;

/** The sizes that a refusal of a too long input names. What it does not name is absent. */
export function readOverflow(message: string): Overflow {
  const plain = message.replace(SEPARATORS, '');
  return {
    limit: numberIn(plain, LIMIT),
    input: numberIn(plain, INPUT) ?? numberIn(plain, REQUESTED),
    cap: numberIn(plain, CAP),
    estimated: /\babout(?: \d|: the count is an estimate)/.test(plain),
  };
}

function numberIn(message: string, place: RegExp): number | undefined {
  const [, ...found] = place.exec(message) ?? [];
  return Number(found.find(Boolean)) || undefined;
}

/**
 * The sizes that are known of an input that is too long: those of the refusal, and others where it names none. There is no `input` that
 * would fit by what is known: it would contradict the refusal.
 */
export function overflowOf({ message, overflow = {} }: CanonicalError): Overflow {
  const read = readOverflow(message);
  const { limit = overflow.limit, cap = overflow.cap } = read;
  const { input, estimated } = read.input === undefined ? overflow : read;
  const fits = limit !== undefined && (input ?? 0) + (cap ?? 0) <= limit;
  return { limit, cap, input: fits ? undefined : input, estimated };
}

/** A sentence by which agents know that they have to compact, and behind it what the backend said where that is not the same. */
export function beforeWords(sentence: string, { message }: CanonicalError): string {
  return message.startsWith(sentence) ? message : `${sentence} | ${message}`;
}
