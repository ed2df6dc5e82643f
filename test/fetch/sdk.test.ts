import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { describeConversations } from '../sdk/conversations.js';
import { type FetchStage, openFetchStage, UNUSED_KEY } from './stage.js';

let stage: FetchStage;
beforeAll(async () => {
  stage = await openFetchStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.reset());

describeConversations('createFetch', 0, () => ({ ...stage, callerKey: UNUSED_KEY }));
