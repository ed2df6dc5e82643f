/** What was wrong with a piece of text or bytes that came from outside. */
export type WireReason = 'too_large' | 'bad_base64' | 'bad_data_url' | 'bad_json';

/** The only error this folder throws. Its message holds no content of the input. */
export class WireError extends Error {
  override readonly name = 'WireError';
  readonly reason: WireReason;

  constructor(reason: WireReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
