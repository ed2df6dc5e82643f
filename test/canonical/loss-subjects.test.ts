import { expect, test } from '@jest/globals';
import { createLosses } from '../../translators/index.js';

test('a loss is at its node, at the setting of a request that its feature names, at a pointer, or at the root', () => {
  const losses = createLosses();
  const request = { at: { stop: '/stop_sequences' } };
  losses.add({ src: { ptr: '/messages/0' } }, 'text.blank', 'dropped', 'node');
  losses.add(request, 'stop', 'dropped', 'setting');
  losses.add(request, 'maxOutput', 'invented', 'not in the request');
  losses.add('/tools/0', 'tool.name', 'dropped', 'pointer');
  losses.add(undefined, 'finish', 'dropped', 'made up');
  expect(losses.list.map(({ path }) => path)).toEqual(['/messages/0', '/stop_sequences', '', '/tools/0', '']);
});
