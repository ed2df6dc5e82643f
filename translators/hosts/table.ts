import { CLOUDS } from './clouds.js';
import { FURTHER_VENDORS } from './further-vendors.js';
import { LOCAL } from './local.js';
import { MARKETS } from './markets.js';
import { VENDORS } from './vendors.js';

/** The one table of the hosts that are known: addresses, credentials, and by dialect what they have of it (hosts.md#presets). */
export const HOSTS = { ...VENDORS, ...FURTHER_VENDORS, ...CLOUDS, ...LOCAL, ...MARKETS };
