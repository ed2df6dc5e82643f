import type { TranslatorDialect } from '../dialect.js';
import { responsesBackend } from './backend.js';
import { responsesClient } from './client.js';
import { relayedEnd, relayedFacts } from './edge/relayed.js';
import type { DIALECT } from './nodes.js';

/** The OpenAI-style dialect `/v1/responses` (protocols/responses.md), as translators take it. */
export const responses: TranslatorDialect<typeof DIALECT> = {
  ...responsesClient,
  ...responsesBackend,
  isTerminal,
  relayedEnd,
  relayedFacts,
};

const TERMINAL = /^(?:response\.(?:completed|incomplete|failed)|error)$/;

/** Some hosts leave the `event:` line out; then only the data tells [R §5.1 rule 1]. */
function isTerminal(event: string, data: string): boolean {
  if (event !== '') return TERMINAL.test(event);
  const type = /"type"\s*:\s*"(response\.(?:completed|incomplete|failed)|error)"/.exec(data)?.[1];
  return type !== undefined && TERMINAL.test(topLevelType(data));
}

function topLevelType(data: string): string {
  try {
    const event: unknown = JSON.parse(data);
    const type: unknown = typeof event === 'object' && event !== null ? Reflect.get(event, 'type') : undefined;
    return typeof type === 'string' ? type : '';
  } catch {
    return '';
  }
}
