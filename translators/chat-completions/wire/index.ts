import * as z from 'zod/mini';
import { anyList } from './content.js';
import { settings } from './tools.js';

export * from './content.js';
export * from './tools.js';

/** What a request must be before its parts are looked at [H §2.1]. */
export const request = z.object({
  model: z.nullish(z.string()),
  messages: anyList,
  ...settings,
  /** Marks of two servers for a last message that the model continues [H §2.2]. */
  continue_final_message: z.nullish(z.boolean()),
  add_generation_prompt: z.nullish(z.boolean()),
});
export type Request = z.infer<typeof request>;
