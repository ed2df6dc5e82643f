import { dialects, type Losses, TranslationError } from '../../translators/index.js';
import { isObject } from '../ground/plain/index.js';
import type { KeptBetas } from './betas.js';
import type { Host } from './host.js';

/**
 * What a relayed call keeps where its body asks the service to keep the conversation (translation.md 2.2): the member goes only
 * to a host that is known to keep conversations. Elsewhere one that begins is left out. Throws TranslationError (`unsupported`)
 * for a body that is only the end of a conversation: without the rest it would be answered, and wrongly.
 */
export function keepThread(
  { dialect, threads }: Pick<Host, 'dialect' | 'threads'>,
  kept: KeptBetas,
  body: unknown,
  losses: Losses,
): KeptBetas {
  const { thread, betas } = dialects[dialect].requestFields;
  const value = thread === undefined || !isObject(body) ? undefined : body[thread.field];
  if (thread === undefined || value === undefined || value === null) return kept;
  const { field, begins, code } = thread;
  if (threads && kept.edits[field] === undefined) return kept;
  const path = `/${field}`;
  if (!begins(value)) {
    const reason = 'the conversation is not kept here; send the whole of it';
    throw new TranslationError('unsupported', reason, { path, dialect, code });
  }
  losses.add(path, 'thread', 'dropped', 'the host is not known to keep conversations');
  const names = betas.filter(({ fields }) => fields.includes(field)).map(({ prefix }) => prefix);
  return { ...withoutNames(kept, names), edits: { ...kept.edits, [field]: 'remove' } };
}

/** The header without the names that go with what is left out. */
function withoutNames({ header }: KeptBetas, prefixes: readonly string[]): Pick<KeptBetas, 'header'> {
  const words = header?.value.split(',').filter((word) => !prefixes.some((prefix) => word.trim().startsWith(prefix)));
  if (header === undefined || words === undefined || words.length === 0) return {};
  return { header: { ...header, value: words.join(',') } };
}
