/*
 * A client that is busy between two reads: its loop stands still, and then does something else. It asks each thing of its first message,
 * reads the answer by `fetch` up to the error that ends it, as SDKs do, and sends how the answer ended. A web stream that fails throws
 * away what nobody has read yet.
 */
import { setTimeout as sleep } from 'node:timers/promises';

const AT_ONCE = 8;
/** Between two reads, in ms: long against the time in which an error and the end behind it arrive, short against their distance. */
const BUSY_MS = 5;

const clock = new Int32Array(new SharedArrayBuffer(4));

async function textOf({ url, body, error }) {
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  const { status, body: answer } = await fetch(url, request);
  const reader = answer.getReader();
  const decoder = new TextDecoder();
  let text = `${status} `;
  try {
    for (;;) {
      Atomics.wait(clock, 0, 0, BUSY_MS);
      await sleep(BUSY_MS);
      const { done, value } = await reader.read();
      if (done) return `${text}[end]`;
      text += decoder.decode(value, { stream: true });
      if (!new RegExp(error).test(text)) continue;
      await reader.cancel();
      return `${text}[error]`;
    }
  } catch (broken) {
    return `${text}[broken: ${broken.message}]`;
  }
}

process.once('message', async (questions) => {
  const rest = [...questions];
  const endings = [];
  const work = async () => {
    for (let next = rest.pop(); next !== undefined; next = rest.pop()) endings.push(await textOf(next));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  process.send(endings, () => process.disconnect());
});
