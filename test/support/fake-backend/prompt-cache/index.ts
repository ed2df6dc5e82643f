import { objectOf } from '../../../../src/simulator/rules/index.js';
import type { RecordedRequest } from '../dialect.js';
import { createAutomaticCache } from './automatic.js';
import type { Bill } from './bill.js';
import { readGenerateContent } from './generate-content.js';
import { createMarkedCache } from './marked.js';
import { readMessages } from './messages.js';
import { createOpenaiCache, readChatCompletions, readResponses } from './openai.js';

export type { Bill } from './bill.js';

/**
 * The prompt cache of a service and what it bills: which part of each prompt it read from the cache. It hashes what came
 * over the wire, so that a prefix counts only where it was sent again byte for byte.
 */
export interface PromptCache {
  /** A bill for every conversation since the last reset, in order. */
  readonly bills: readonly Bill[];
  bill(request: RecordedRequest): Bill;
  /** Forgets prompts and bills. */
  reset(): void;
}

type Service = (request: RecordedRequest) => Bill;

/** How many blocks before a mark the messages service looks for an earlier one, as the vendor documents it. */
const LOOKBACK = 20;

const SERVICES = {
  messages() {
    const bill = createMarkedCache(LOOKBACK);
    return ({ body }) => bill(readMessages(objectOf(body)));
  },
  responses() {
    const bill = createOpenaiCache(readResponses);
    return ({ body }) => bill(objectOf(body));
  },
  chatCompletions() {
    const bill = createOpenaiCache(readChatCompletions);
    return ({ body }) => bill(objectOf(body));
  },
  generateContent() {
    const bill = createAutomaticCache(1);
    return (request) => bill(readGenerateContent(request));
  },
} satisfies Record<string, () => Service>;

/** The cache of a dialect's own service. */
export function createPromptCache(dialect: keyof typeof SERVICES): PromptCache {
  let service: Service = SERVICES[dialect]();
  const bills: Bill[] = [];
  return {
    bills,
    bill(request) {
      const bill = service(request);
      bills.push(bill);
      return bill;
    },
    reset() {
      service = SERVICES[dialect]();
      bills.length = 0;
    },
  };
}
