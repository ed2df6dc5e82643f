import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoadOrder } from './load.js';

/** The process that plays client and backend. */
export interface Load {
  /** The port of its backend. */
  readonly port: number;
  /** The port of the same backend where it sends each event of a stream in a packet of its own. */
  readonly apartPort: number;
  /** Resolves when so many exchanges are over, with the time to the first byte of each in ms. */
  run(order: LoadOrder): Promise<readonly number[]>;
  close(): void;
}

export async function startLoad(): Promise<Load> {
  const child: ChildProcess = fork(fileURLToPath(new URL('./load.js', import.meta.url)));
  const [ports] = (await once(child, 'message')) as [Pick<Load, 'port' | 'apartPort'>];
  return {
    ...ports,
    async run(order) {
      child.send(order);
      const [answer] = (await once(child, 'message')) as [{ times?: number[]; reason?: string }];
      if (answer.times === undefined) throw new Error(`the load failed: ${answer.reason} at ${order.url}`);
      return answer.times;
    },
    close: () => child.kill(),
  };
}
