/** Tokens of one prompt; `cached` and `cacheWritten` are part of `input`. */
export interface Bill {
  readonly input: number;
  readonly cached: number;
  readonly cacheWritten: number;
}

const BYTES_PER_TOKEN = 4;

/** Tokens of so many bytes. A fixed rate, so that shares of tokens are shares of bytes and need no tokenizer. */
export function tokensOf(bytes: number): number {
  return Math.floor(bytes / BYTES_PER_TOKEN);
}

/** Bytes of so many tokens. */
export function bytesOf(tokens: number): number {
  return tokens * BYTES_PER_TOKEN;
}
