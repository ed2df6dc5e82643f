import type { ClientToolRules } from '../../adapt/index.js';
import { computer } from './computer.js';

/** This dialect has none of the built-in tools of clients: their calls are those of functions (translation.md 2.6). */
export const clientTools: ClientToolRules = { own: {}, ...computer };
