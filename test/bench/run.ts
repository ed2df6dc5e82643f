import { cpus } from 'node:os';
import { benchConversations } from './conversations.js';
import { benchGateway } from './gateway.js';
import { benchTranslation } from './translation.js';

console.log(`node ${process.version}, ${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown processor'}\n`);
benchTranslation();
console.log();
await benchGateway();
console.log();
await benchConversations();
