import { isObject } from '../ground/plain/index.js';
import { checkNumbers } from '../web/index.js';
import { FIRST_BYTE_SECONDS } from './deadline.js';
import { fault } from './faults.js';
import type { HandlerOptions } from './options.js';
import { createState, type State } from './state.js';

const DAY_SECONDS = 86_400;

/** The state that the options say. Throws TypeError for a store that is none; the caller checks `firstByteSeconds`. */
export function readState(options: HandlerOptions): State {
  const { store, storeDays = 30, firstByteSeconds = FIRST_BYTE_SECONDS } = isObject(options) ? options : {};
  checkNumbers({ storeDays }, fault);
  if (store !== undefined) checkStore(store);
  return createState(store, storeDays * DAY_SECONDS, firstByteSeconds);
}

function checkStore(store: unknown): void {
  const { get, set, delete: forget } = isObject(store) ? store : {};
  if (typeof get !== 'function' || typeof set !== 'function' || typeof forget !== 'function')
    throw fault('store', 'must have the functions get, set and delete');
}
