import { type JsonObject, objectOf } from '../../../../src/simulator/rules/index.js';

/** Whether a request asks for thought summaries, in either spelling [G §2.6]. */
export function showsThoughts({ generationConfig, generation_config: snake }: JsonObject): boolean {
  const { thinkingConfig, thinking_config: spelled } = objectOf(generationConfig ?? snake);
  const { includeThoughts, include_thoughts: shows } = objectOf(thinkingConfig ?? spelled);
  return (includeThoughts ?? shows) === true;
}
