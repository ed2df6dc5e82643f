import { expect, test } from '@jest/globals';
import { dialectsOf, presetNames, presets } from '../../src/presets/index.js';
import { serverAt } from '../../translators/chat-completions/servers/index.js';

const CHATTING = presetNames
  .filter((name) => dialectsOf(presets[name]).includes('chatCompletions'))
  .flatMap((name) => presets[name].hosts.map((host) => [name, host.replace('*', 'any')] as const));

test.each(CHATTING)('%s: the library knows %s as the server that it is', (name, host) => {
  const row = serverAt(host);
  expect(row).toBeDefined();
  expect(row).toBe(serverAt(presets[name].hosts[0]?.replace('*', 'any') ?? ''));
  const others = CHATTING.filter(([other]) => other !== name).map(([, other]) => serverAt(other));
  expect(others).not.toContain(row);
});
