import { describe, expect, test } from '@jest/globals';
import { KINDS, useStage } from './stage.js';
import { START, takeTurn } from './turns.js';

const stage = useStage();

describe.each(KINDS)('STA-01 a %s backend', (kind) => {
  test.each([false, true])(
    'holds a conversation of ten turns by previous_response_id, streamed: %s',
    async (streamed) => {
      const backend = stage.backends[kind];
      backend.reset();
      let point = START;
      while (point.turn < 10) point = await takeTurn(stage.client, backend, kind, point, streamed);
      expect(backend.requests).toHaveLength(10);
    },
  );
});
