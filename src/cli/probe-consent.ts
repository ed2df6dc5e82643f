import { createInterface } from 'node:readline/promises';
import { isPublicHost } from '../probe/index.js';
import { complain, UsageError, type Values } from './command.js';

/** What is said before anything is sent. */
export interface Sending {
  readonly url: string;
  readonly calls: number;
  readonly hasKey: boolean;
  readonly model?: string | undefined;
}

/**
 * Says what will be sent, and asks before it goes to a public host; `--yes` is the answer. Where nobody can be asked, that is a UsageError.
 * Gives whether it may be sent.
 */
export async function mayProbe(sendings: readonly Sending[], values: Values): Promise<boolean> {
  for (const { url, calls, hasKey, model = 'the first of its list' } of sendings) {
    const { origin, pathname } = new URL(url);
    complain(
      `Asks ${origin}${pathname} in at most ${calls} calls, each for at most 16 tokens; model: ${model}. Sent are made-up texts, two made-up tools, a red square and a page about plums${hasKey ? ', and the key, to this address alone' : ''}. One call asks for more tokens than the window has, and ends with the first of them.`,
    );
  }
  const open = sendings.filter(({ url }) => isPublicHost(url)).map(({ url }) => new URL(url).hostname);
  if (open.length === 0 || values.yes === true) return true;
  const hosts = [...new Set(open)].join(', ');
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true)
    throw new UsageError(`${hosts} is a public host, whose calls may cost money: give --yes`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${hosts} is public, and the calls may cost money. Go on? [y/N] `);
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
