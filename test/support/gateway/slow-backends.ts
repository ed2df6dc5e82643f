import type { DialectId } from '../../../translators/index.js';
import { tableOf } from '../dialects/index.js';
import { DIALECTS, EVENT_STREAM, FRAMES, json, type Recorder, startRecorder, WHOLE } from './harness.js';

/** Backends of all three dialects whose answers wait: half of them is there, the rest comes when it is let go. */
export interface SlowBackends {
  readonly backends: Record<DialectId, { dialect: DialectId; baseUrl: string; timeouts: object }>;
  /** For each of them a pattern of model names. */
  readonly models: Record<string, { backend: DialectId }>;
  /** How many answers are half there, or asked for and not begun. */
  readonly waiting: () => number;
  /** How many were ended before their end. */
  readonly aborted: () => number;
  /** Finishes the answers of models with this word in their name. */
  release(word: string): void;
  close(): Promise<void>;
}

export async function startSlowBackends(): Promise<SlowBackends> {
  const held: { readonly model: string; finish(): void }[] = [];
  let waiting = 0;
  const recorders = new Map<DialectId, Recorder>();
  for (const dialect of DIALECTS) {
    const recorder = await startRecorder();
    recorders.set(dialect, recorder);
    recorder.reply = (response, { path, body }) => {
      const model = /models\/([\w-]+)/.exec(path)?.[1] ?? String(JSON.parse(body).model);
      const streams = path.includes('streamGenerateContent') || body.includes('"stream":true');
      waiting += 1;
      if (!streams) {
        held.push({ model, finish: () => json(response, 200, WHOLE[dialect]('until the end')) });
        return;
      }
      const frames = FRAMES[dialect]('until the end');
      const half = Math.ceil(frames.length / 2);
      response.writeHead(200, EVENT_STREAM);
      response.write(frames.slice(0, half).join(''));
      held.push({ model, finish: () => response.end(frames.slice(half).join('')) });
    };
  }
  const each = <T>(make: (dialect: DialectId) => T) =>
    Object.fromEntries(DIALECTS.map((dialect) => [dialect, make(dialect)])) as Record<DialectId, T>;
  return {
    backends: each((dialect) => ({
      dialect,
      baseUrl: recorders.get(dialect)?.url ?? '',
      timeouts: { idle: 60 },
    })),
    models: Object.fromEntries(DIALECTS.map((dialect) => [`${dialect}-*`, { backend: dialect }])),
    waiting: () => waiting,
    aborted: () => [...recorders.values()].reduce((sum, { aborted }) => sum + aborted, 0),
    release(word) {
      for (const { model, finish } of held) if (model.includes(word)) finish();
    },
    close: async () => {
      await Promise.all([...recorders.values()].map((recorder) => recorder.close()));
    },
  };
}

/** How the text of a stream ends, as the SDKs of its dialect see it. */
export function endingOf(dialect: DialectId, text: string): 'complete' | 'error' | 'nothing' {
  const { complete, error } = ENDINGS[dialect];
  const failed = error.test(text);
  if (complete.test(text)) return failed ? 'nothing' : 'complete';
  return failed ? 'error' : 'nothing';
}

const ENDINGS = tableOf('ending');
