import { isObject } from '../ground/plain/index.js';
import { checkNumbers } from '../web/index.js';
import type { HandlerOptions } from './options.js';
import { fault } from './settings.js';
import { createState, type State } from './state.js';

const DAY_SECONDS = 86_400;

/** The state that the options say. Throws TypeError for a store that is none. */
export function readState(options: HandlerOptions): State {
  const { store, storeDays = 30 } = isObject(options) ? options : { store: undefined };
  checkNumbers({ storeDays }, fault);
  if (store !== undefined) checkStore(store);
  return createState(store, storeDays * DAY_SECONDS);
}

function checkStore(store: unknown): void {
  const { get, set, delete: forget } = isObject(store) ? store : {};
  if (typeof get !== 'function' || typeof set !== 'function' || typeof forget !== 'function')
    throw fault('store', 'must have the functions get, set and delete');
}
