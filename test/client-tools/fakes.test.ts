import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../src/simulator/rules/index.js';
import { requestFaults } from '../support/legal.js';

const call = { id: 'cu_1', call_id: 'c1', status: 'completed', pending_safety_checks: [] };
const shot = {
  type: 'computer_call_output',
  call_id: 'c1',
  output: { type: 'computer_screenshot', image_url: 'https://x.example/a.png' },
};
const click = { type: 'click', button: 'left', x: 1, y: 2 };

function responses(...input: JsonObject[]): JsonObject {
  return { model: 'm', input: [{ role: 'user', content: 'Go.' }, ...input] };
}

function messages(tool: JsonObject): JsonObject {
  return { model: 'm', max_tokens: 10, tools: [tool], messages: [{ role: 'user', content: 'Go.' }] };
}

describe('what the fakes refuse of built-in tools', () => {
  test.each<[title: string, body: JsonObject, message: RegExp | undefined]>([
    ['a computer call and its output', responses({ type: 'computer_call', ...call, action: click }, shot), undefined],
    ['no output', responses({ type: 'computer_call', ...call, action: click }), /No tool output found/],
    [
      'an unknown action',
      responses({ type: 'computer_call', ...call, action: { type: 'zoom' } }, shot),
      /Invalid value: 'zoom'/,
    ],
    [
      'no safety checks',
      responses({ type: 'computer_call', id: 'cu_1', call_id: 'c1', status: 'completed', action: click }, shot),
      /pending_safety_checks/,
    ],
    ['a foreign id', responses({ type: 'computer_call', ...call, id: 'x_1', action: click }, shot), /begins with 'cu'/],
    [
      'a patch without a path',
      responses({ type: 'apply_patch_call', call_id: 'c1', status: 'completed', operation: { type: 'delete_file' } }),
      /path/,
    ],
    [
      'a shell call in a container',
      responses({
        type: 'shell_call',
        call_id: 'c1',
        action: { commands: [] },
        environment: { type: 'container_reference', container_id: 'c' },
      }),
      undefined,
    ],
    [
      'a local shell call',
      responses({ type: 'shell_call', call_id: 'c1', action: { commands: [] } }),
      /No tool output found/,
    ],
  ])('responses: %s', (_title, body, message) => {
    expect(requestFaults('responses', body, 'm')).toEqual(
      message === undefined ? [] : [expect.stringMatching(message)],
    );
  });

  test.each<[title: string, tool: JsonObject, message: RegExp | undefined]>([
    ['a shell', { type: 'bash_20250124', name: 'bash' }, undefined],
    ['a version that is none', { type: 'bash_20990101', name: 'bash' }, /does not match/],
    ['another name', { type: 'bash_20250124', name: 'shell' }, /Input should be 'bash'/],
    [
      'no display',
      { type: 'computer_20250124', name: 'computer', display_width_px: 1 },
      /display_height_px: Field required/,
    ],
  ])('messages: %s', (_title, tool, message) => {
    expect(requestFaults('messages', messages(tool), 'm')).toEqual(
      message === undefined ? [] : [expect.stringMatching(message)],
    );
  });

  test('generateContent: a computer that is nothing', () => {
    const body = {
      contents: [{ role: 'user', parts: [{ text: 'Go.' }] }],
      tools: [{ computerUse: { environment: 'LINUX' } }],
    };
    expect(requestFaults('generateContent', body, 'gemini-3-pro')).toEqual([expect.stringMatching(/environment/)]);
  });
});
