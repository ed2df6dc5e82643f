import { spawn } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { PROGRAM } from '../support/gateway/program.js';

describe('a stream on standard input', () => {
  /** Starts a translation of messages and sends it the beginning of a stream. */
  async function begin() {
    const child = spawn(process.execPath, [
      PROGRAM,
      'translate',
      '--from',
      'messages',
      '--to',
      'chatCompletions',
      '--kind',
      'stream',
    ]);
    const ended = new Promise((resolve) => child.on('close', resolve));
    let output = '';
    const first = new Promise<void>((resolve) => {
      child.stdout?.on('data', (chunk) => {
        output += chunk;
        if (output.includes('hello')) resolve();
      });
    });
    const event = (data: { readonly type: string; readonly [field: string]: unknown }): void => {
      child.stdin?.write(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`);
    };
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null };
    event({ type: 'message_start', message: { ...message, usage: { input_tokens: 1, output_tokens: 1 } } });
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
    event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hello' } });
    await first;
    return { child, ended, event, output: () => output };
  }

  test('is translated as it arrives, and ends with its last word', async () => {
    const { child, ended, event, output } = await begin();
    event({ type: 'content_block_stop', index: 0 });
    event({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 2 },
    });
    event({ type: 'message_stop' });
    child.stdin?.end();
    expect(await ended).toBe(0);
    expect(output()).toMatch(/data: \[DONE\]\n\n$/);
  });

  test('that ends broken exits with 1 after its error', async () => {
    const { child, ended, output } = await begin();
    child.stdin?.end();
    expect(await ended).toBe(1);
    expect(output()).toContain('"error"');
  });

  test('ends with 130 when it is interrupted', async () => {
    const { child, ended } = await begin();
    child.kill('SIGINT');
    expect(await ended).toBe(130);
  });
});
