import { storedResponses } from '../../translators/index.js';
import { createBudget, inProgress, tooManyReferences } from '../archive/index.js';
import { readJobStatus } from './job-status.js';
import type { ConversationServices } from './services.js';

/** What the archive has of what a body names. */
export interface Found {
  /** The conversation before; undefined when it is not known here. */
  readonly before: storedResponses.History | undefined;
  /** The backend that keeps the answer that is continued. */
  readonly owner: string | undefined;
  readonly items: ReadonlyMap<string, storedResponses.KeptItem>;
  /** The backends that keep the items that are named. */
  readonly itemOwners: ReadonlySet<string | undefined>;
}

/**
 * Looks up an answer and items. Throws 409 while the answer is still being made, and 400 for more than is loaded for one
 * request.
 */
export async function lookUp(
  gateway: ConversationServices,
  tenant: string,
  previous: string | undefined,
  references: readonly string[],
): Promise<Found> {
  const nothing: Found = { before: undefined, owner: undefined, items: new Map(), itemOwners: new Set() };
  const { archive } = gateway;
  if (archive === undefined || (previous === undefined && references.length === 0)) return nothing;
  const { limits } = gateway.config;
  if (references.length > limits.references) throw tooManyReferences(limits.references);
  const budget = createBudget(limits.historyMb);
  const owner = previous === undefined ? undefined : await archive.owner(tenant, previous);
  const items = await archive.items(tenant, references, budget);
  const history = previous === undefined ? undefined : archive.history(tenant, previous, budget);
  const before = await history?.catch((error: unknown) => {
    // The backend that keeps the answer goes on with it without our copy.
    if (budget.spent && owner !== undefined) return undefined;
    throw error;
  });
  if (previous !== undefined && before === undefined && owner === undefined) {
    const answer = await archive.answer(tenant, previous);
    const now = answer && (await readJobStatus(gateway, tenant, previous, answer));
    if (now !== undefined && storedResponses.isUnfinished(now)) throw inProgress(previous);
  }
  const answers = [...new Set([...items.values()].map(({ answer }) => answer))];
  const itemOwners = new Set(await Promise.all(answers.map((id) => archive.owner(tenant, id))));
  return { before, owner, items, itemOwners };
}

/** Nobody here knows the answer. */
export function isUnknown({ before, owner }: Found): boolean {
  return before === undefined && owner === undefined;
}
