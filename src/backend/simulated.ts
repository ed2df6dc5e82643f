import { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { errorMessage } from '../ground/index.js';
import type { Transport, TransportSink } from './transport.js';

/** The built-in simulator behind the same seam as HTTP. */
export function createSimulatorTransport(): Transport {
  let simulator: ReturnType<typeof loadSimulator> | undefined;
  return {
    send({ method, path, headers, body }, sink) {
      const controller = new AbortController();
      const flow = createFlow();
      const run = async (): Promise<void> => {
        sink.connected();
        const text = body instanceof Readable ? await readText(body) : textOf(body);
        simulator ??= loadSimulator();
        const simulate = await simulator;
        const answer = await simulate({ method, path, headers, body: text, signal: controller.signal });
        if (controller.signal.aborted) return;
        sink.head(answer.status, answer.headers);
        await pump(typeof answer.body === 'string' ? [Buffer.from(answer.body)] : answer.body, sink, flow, controller);
      };
      run().catch((error: unknown) => {
        if (!controller.signal.aborted) sink.error(new Error(errorMessage(error), { cause: error }));
      });
      return {
        pause: flow.pause,
        resume: flow.resume,
        abort() {
          controller.abort();
          flow.resume();
        },
      };
    },
    close: async () => {},
  };
}

/** Loaded with the first call: few gateways serve from it, and it is as much code as a dialect. */
async function loadSimulator() {
  const { createSimulator } = await import('../simulator/index.js');
  return createSimulator();
}

function textOf(body: string | Uint8Array | readonly Uint8Array[] = ''): string {
  if (typeof body === 'string') return body;
  return (body instanceof Uint8Array ? Buffer.from(body) : Buffer.concat(body)).toString();
}

async function pump(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  sink: TransportSink,
  flow: Flow,
  { signal }: AbortController,
): Promise<void> {
  for await (const chunk of chunks) {
    if (signal.aborted) return;
    sink.data(chunk);
    await flow.open();
  }
  if (!signal.aborted) sink.end();
}

/** A gate at which the writer waits while the reader is busy. */
interface Flow {
  pause(): void;
  resume(): void;
  open(): Promise<void> | undefined;
}

function createFlow(): Flow {
  let gate: Promise<void> | undefined;
  let release: (() => void) | undefined;
  return {
    pause() {
      gate ??= new Promise((resolve) => {
        release = resolve;
      });
    },
    resume() {
      release?.();
      gate = undefined;
      release = undefined;
    },
    open: () => gate,
  };
}
