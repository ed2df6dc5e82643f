import { type ClientToolRules, COMPUTER, readRawAction } from '../../adapt/index.js';
import type { ComputerArguments } from '../../canonical/client-actions.js';
import type { JsonObject } from '../../canonical/node.js';
import { decodeComputer, encodeComputer } from './computer.js';

/**
 * How this dialect has the built-in tools of clients: of the computer only, whose calls are functions that are not
 * declared ([G §2.5] `computerUse`), with points in thousandths of the display.
 */
export const clientTools: ClientToolRules = {
  own: { computer: 'computer' },
  points: 'thousandths',
  tellsDisplay: false,
  batches: () => true,
  readComputer: ({ name, args }) => decodeComputer(name, args.value ?? {}),
  write: (call, { near }) => encodeComputer(call, near),
};

/** Functions whose arguments are made anew when a call comes home: their points went through another unit. */
const REBUILT = /^(?:click_at|hover_at|type_text_at|scroll_at|scroll_document|drag_and_drop|key_combination)$/;

/** Whether the arguments of a call may come home changed. */
export function isRebuilt(name: string): boolean {
  return REBUILT.test(name);
}

/** Reads a call in a client's history, which may be one that we showed it as plain JSON. */
export function decodeHistory(name: string, args: JsonObject): ComputerArguments | undefined {
  const raw = name === COMPUTER ? readRawAction(args) : undefined;
  return raw === undefined ? decodeComputer(name, args) : { ...raw, points: 'thousandths' };
}
