import type { ConfigInput } from '../../src/config/schema.js';
import { createGateway, type GatewayServer } from '../../src/index.js';
import type { DialectId } from '../../translators/index.js';
import { dialectAt } from '../support/dialect-at.js';
import {
  type Answer,
  ASK,
  DIALECTS,
  EVENT_STREAM,
  FRAMES,
  json,
  type Recorder,
  type Seen,
  send,
  startRecorder,
  WHOLE,
} from '../support/gateway/harness.js';

type Keys = NonNullable<ConfigInput['keys']>;

/** The limits of a key of the tests; its secret follows from its name. */
export type TestKey = Omit<Keys[number], 'key' | 'sha256'>;

export const secretOf = (name: string): string => `secret-of-the-key-${name}`;

function keysOf(keys: readonly TestKey[]): Keys {
  return keys.map((key) => ({ ...key, key: secretOf(key.name) }));
}

/** A gateway in front of one backend of each dialect, each behind a model of that name. */
export interface LimitStage {
  readonly url: string;
  readonly gateway: GatewayServer;
  readonly recorder: Recorder;
  ask(key: string, dialect: DialectId, model?: DialectId): Promise<Answer>;
  reload(keys: readonly TestKey[]): void;
  close(): Promise<void>;
}

/** Each backend answers in its own dialect, and uses 5 tokens. */
export function answerInDialect(response: Parameters<Recorder['reply']>[0], { path, body }: Seen): void {
  const dialect = dialectAt(path);
  const streamed = path.includes(':stream') || /"stream": ?true/.test(body);
  if (streamed) response.writeHead(200, EVENT_STREAM).end(FRAMES[dialect]('hello').join(''));
  else json(response, 200, WHOLE[dialect]('hello'));
}

export async function openLimitStage(
  keys: readonly TestKey[],
  more: Partial<ConfigInput> = {},
  shared?: Recorder,
): Promise<LimitStage> {
  const recorder = shared ?? (await startRecorder());
  recorder.reply = answerInDialect;
  const config = (current: readonly TestKey[]): ConfigInput => ({
    log: { level: 'silent' },
    backends: Object.fromEntries(DIALECTS.map((dialect) => [dialect, { dialect, baseUrl: recorder.url }])),
    models: Object.fromEntries(DIALECTS.map((dialect) => [dialect, { backend: dialect }])),
    ...more,
    keys: keysOf(current),
  });
  const gateway = createGateway(config(keys));
  const { url } = await gateway.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    gateway,
    recorder,
    ask(key, dialect, model = dialect) {
      const { path, body } = ASK[dialect](model);
      return send(url, path, { body, headers: { 'x-api-key': secretOf(key) } });
    },
    reload: (next) => void gateway.reload(config(next)),
    async close() {
      await gateway.close();
      if (shared === undefined) await recorder.close();
    },
  };
}
