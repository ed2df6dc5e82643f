import { renderSummary, unpackSummary } from '../../adapt/index.js';
import type { JsonObject } from '../../canonical/node.js';
import type { WithholdContext } from '../../dialect.js';
import { isWithheld, stateMark } from '../../wire/carrier.js';
import { isObject } from '../../wire/json.js';

/** What a body holds in which something may have to be withheld. */
export const foreignMark = stateMark();

/** Ids under which hosted calls of other services were shown (translation.md 5.4). */
const SHOWN = /^(?:ws|ci|ig|mcp|fs)_il/;

/**
 * Takes state that other backends issued out of a body that goes to a backend of this dialect as it is: the reasoning
 * items it rides in and the hosted items it shows. Ids that we gave to items are left out, so that the service does not
 * look for what it never stored ([R §3.5]).
 */
export function withholdState(body: JsonObject, context: WithholdContext): JsonObject {
  const { losses } = context;
  if (!Array.isArray(body.input)) return {};
  let changed = false;
  const input = body.input.flatMap((item: unknown, index) => {
    if (!isObject(item)) return [item];
    const summary = summaryIn(item);
    if (summary !== undefined) {
      changed = true;
      losses.add(`/input/${index}`, 'part.compaction', 'moved', 'the summary is moved to a user turn');
      return [{ type: 'message', role: 'user', content: renderSummary(summary) }];
    }
    if (isForeign(item, context)) {
      changed = true;
      losses.add(`/input/${index}`, 'reasoning.state', 'dropped', 'another backend issued it');
      return [];
    }
    return [item];
  });
  return changed ? { input: input.map(withoutOurId) } : {};
}

/** The text of a compaction that was made here. */
function summaryIn({ type, encrypted_content: carrier }: JsonObject): string | undefined {
  return type === 'compaction' && typeof carrier === 'string' ? unpackSummary(carrier) : undefined;
}

function isForeign(item: JsonObject, context: WithholdContext): boolean {
  const { type, id, encrypted_content: state } = item;
  if (type === 'reasoning') return isWithheld(state, context);
  return typeof id === 'string' && SHOWN.test(id);
}

function withoutOurId(item: unknown): unknown {
  if (!isObject(item) || typeof item.id !== 'string' || !/^(?:msg|fc|ctc)_il/.test(item.id)) return item;
  const { id: _id, ...rest } = item;
  return rest;
}
