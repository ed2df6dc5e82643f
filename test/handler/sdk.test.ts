import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { describeConversations } from '../sdk/conversations.js';
import { BACKEND_KEY, GATEWAY_KEY, openFakes, openHandlerStage, type Stage, WAY_TITLE, waysOf } from '../sdk/stage.js';
import { describeError } from '../support/sessions/index.js';

let stage: Stage;
beforeAll(async () => {
  stage = await openHandlerStage(await openFakes());
});
afterAll(() => stage.close());
beforeEach(() => stage.reset());

describeConversations('the handler', 1, () => ({
  backends: stage.backends,
  callerKey: GATEWAY_KEY,
  session: (client, backend, options) => stage.session(client, { model: `via-${backend}`, ...options }),
}));

describe.each(waysOf(1))(`the key of a handler: ${WAY_TITLE}`, ({ client, backend, stream }) => {
  test('that it is refused is no fault of the caller, who does not see it', async () => {
    const session = stage.session(client, { model: `locked-${backend}` });
    session.user('Hello.');
    const error = describeError(await session.send({ stream }).catch((thrown: unknown) => thrown));
    expect([502, 503]).toContain(error.status);
    expect(JSON.stringify(error)).not.toMatch(new RegExp(`nobody-accepts|${BACKEND_KEY}`));
  });
});
