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

const NUMBER = String.raw`(\d[\d,]{0,14})`;

/** Where refusals have sizes: of each the first that is found counts. */
const LIMIT: readonly RegExp[] = [
  new RegExp(String.raw`(?:tokens|\+ \d+) > ${NUMBER}`, 'i'),
  new RegExp(`${NUMBER} maximum context length`, 'i'), // Mistral
  new RegExp(
    String.raw`(?:tokens allowed|context (?:size|length|limit)(?: is| of)?(?: only)?|(?:model|prompt) length(?: is| of)|token limit|the limit of|limit is|configured limit of|must be <=|should be \[\d+,)[ :(]{1,3}${NUMBER}`,
    'i',
  ),
];
const INPUT: readonly RegExp[] = [
  new RegExp(`${NUMBER} (?:in the messages|of text input|tokens from the input)`, 'i'),
  new RegExp(
    String.raw`(?:has|contains(?: at least)?|count(?: is| of)?|too long:|context limit:|request|input|prompt \((?:total )?length|resulted in|current length is|given:) \(?(?:about )?${NUMBER}`,
    'i',
  ),
  new RegExp(`requested:? (?:about |a total of )?${NUMBER}(?![\\d,]| output)`, 'i'),
];
const CAP: readonly RegExp[] = [
  new RegExp(
    `${NUMBER} (?:in the completion|in the output|output tokens|tokens for the completion|\`max_new_tokens\`)`,
    'i',
  ),
  new RegExp(String.raw`\+ ${NUMBER} >`),
  new RegExp(`is too large: ${NUMBER}`, 'i'),
];

/** Words of a limit that holds for the input alone, whatever the cap is. */
const INPUT_ALONE = /prompt (?:is too long|length|token count)|input token count/i;

/** The sizes that a refusal of a too long input names, in the words of vendors and servers. What it does not name is absent. */
export function readOverflow(message: string): Overflow {
  const [limit, input, cap] = [numberIn(message, LIMIT), numberIn(message, INPUT), numberIn(message, CAP)];
  return {
    ...(limit !== undefined && { limit }),
    ...(input !== undefined && { input }),
    ...(cap !== undefined && { cap }),
    ...(/\babout \d/.test(message) && { estimated: true }),
    ...(INPUT_ALONE.test(message) && { inputAlone: true }),
  };
}

function numberIn(message: string, places: readonly RegExp[]): number | undefined {
  for (const place of places) {
    const number = Number(place.exec(message)?.[1]?.replaceAll(',', '') ?? 0);
    if (number > 0) return number;
  }
  return undefined;
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
  return { limit, cap, ...(!fits && { input, estimated }) };
}

/** A sentence by which agents know that they have to compact, and behind it what the backend said where that is not the same. */
export function beforeWords(sentence: string, { message }: CanonicalError): string {
  return message.startsWith(sentence) ? message : `${sentence} | ${message}`;
}
