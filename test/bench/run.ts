import { cpus } from 'node:os';
import { benchGateway } from './gateway.js';
import { benchTranslation } from './translation.js';

console.log(`node ${process.version}, ${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown processor'}\n`);
benchTranslation();
console.log();
await benchGateway();
