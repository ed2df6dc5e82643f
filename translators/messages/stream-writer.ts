import type { StreamEvent } from '../canonical/events.js';
import type { Finish, Usage } from '../canonical/response.js';
import type { PartEvent } from './serial.js';

/** Writes what an answer is made of. There is one for answers of this dialect and one for those of others. */
export interface StreamWriter {
  /** Prints the first event of the stream. */
  begin(usage: Usage): void;
  part(event: PartEvent): void;
  /** Closes everything and prints the end. Throws TranslationError for ends that are failures here. */
  end(finish: Finish, event: Extract<StreamEvent, { readonly type: 'end' }>, usage: Usage): void;
}
