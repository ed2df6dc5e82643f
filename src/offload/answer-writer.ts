import { limitIdleWrites } from '../exchange/index.js';
import type { Gateway } from '../gateway/index.js';
import type { ClientCall } from '../http/index.js';
import type { FromThread } from './messages.js';

type AnswerMessage = Extract<FromThread, { kind: 'head' | 'write' | 'end' | 'flush' | 'destroy' | 'breakOff' }>;

/** Brings to the client what a thread answers. */
export interface AnswerWriter {
  hear(message: AnswerMessage): void;
}

/** `taken` hears how much of what was written the client's connection took; one that takes nothing is dropped in time. */
export function createAnswerWriter({ config }: Gateway, call: ClientCall, taken: (size: number) => void): AnswerWriter {
  const { response } = call;
  const { writeIdleSeconds } = config.limits;
  let left = 0;
  response.on('drain', () => {
    if (left === 0) return;
    response.socket?.setTimeout(0);
    taken(left);
    left = 0;
  });
  return {
    hear(message) {
      // The code that ended it has sent the whole answer.
      if (response.destroyed || response.writableEnded) return;
      switch (message.kind) {
        case 'head':
          if (!response.headersSent) response.writeHead(message.status, message.headers);
          break;
        case 'flush':
          response.flushHeaders();
          break;
        case 'write':
          if (response.write(message.piece)) taken(message.piece.length);
          else {
            left += message.piece.length;
            response.socket?.setTimeout(writeIdleSeconds * 1000);
          }
          break;
        case 'end':
          if (message.piece === undefined) response.end();
          else response.end(message.piece);
          limitIdleWrites(call, writeIdleSeconds);
          break;
        case 'destroy':
          response.destroy();
          break;
        case 'breakOff':
          response.socket?.destroySoon();
          break;
      }
    },
  };
}
