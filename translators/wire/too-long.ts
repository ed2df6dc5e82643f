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
  /exceeded model token limit/i, // Moonshot
  /prompt exceeds max length/i, // Z.ai
  /range of input length should be/i, // Qwen
  /token count.{0,100}exceeds|exceeds the maximum number of (?:input )?tokens/i, // Gemini
];

/** Whether a refusal says that the input is longer than the model takes. */
export function isTooLong(message: string): boolean {
  return TOO_LONG.some((words) => words.test(message));
}
