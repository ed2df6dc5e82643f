import { createServer, request, type ServerResponse } from 'node:http';
import type { DialectId } from '../../translators/index.js';
import { eventsOf, textOf } from '../backend/faults/checks.js';
import { dialectAt } from '../support/dialect-at.js';
import { ASK, DIALECTS, EVENT_STREAM, FRAMES, json, STREAM, WHOLE } from '../support/gateway/harness.js';
import { listen, shut } from '../support/sockets.js';

/** A backend of all dialects that answers with the nonce of the question, piece by piece. */
export interface Echo {
  readonly url: string;
  close(): Promise<void>;
}

/** What each question and its answer have in common, and no other. */
const NONCE = /nonce-[a-z0-9]+-/;

export async function startEcho(): Promise<Echo> {
  const server = createServer((incoming, response) => {
    let body = '';
    response.on('error', () => {});
    incoming.on('data', (chunk) => {
      body += chunk;
    });
    incoming.on('error', () => {});
    incoming.on('end', () => {
      const path = incoming.url ?? '';
      const nonce = NONCE.exec(body)?.[0] ?? 'no nonce';
      const dialect = dialectAt(path);
      const stream = path.includes(':stream') || /"stream": ?true/.test(body);
      if (stream) drip(response, FRAMES[dialect](said(nonce)));
      else setTimeout(() => json(response, 200, WHOLE[dialect](said(nonce))), Math.random() * 20);
    });
  });
  return { url: await listen(server), close: () => shut(server) };
}

/** Long enough to fill several frames. */
function said(nonce: string): string {
  return nonce.repeat(20);
}

function drip(response: ServerResponse, frames: readonly string[]): void {
  response.writeHead(200, EVENT_STREAM);
  let next = 0;
  const write = (): void => {
    if (response.destroyed) return;
    const frame = frames[next];
    next += 1;
    if (frame === undefined) response.end();
    else {
      response.write(frame);
      setTimeout(write, Math.random() * 15);
    }
  };
  write();
}

/** How one question went. `foreign` names what stood in its answer and was not its own. */
export interface Asked {
  readonly outcome: 'whole' | 'left';
  readonly foreign: readonly string[];
}

export interface Question {
  readonly client: DialectId;
  readonly backend: DialectId;
  readonly stream: boolean;
  /** After how many bytes the client leaves; undefined = it stays. */
  readonly leaveAfter: number | undefined;
}

/** A mixture of all pairs; of every ten, three clients leave at some point. */
export function questions(count: number): Question[] {
  return Array.from({ length: count }, (_, index) => ({
    client: DIALECTS[index % DIALECTS.length] ?? 'messages',
    backend: DIALECTS[Math.floor(index / DIALECTS.length) % DIALECTS.length] ?? 'messages',
    stream: index % 5 !== 4,
    leaveAfter: index % 10 < 3 ? Math.floor(Math.random() * 3000) : undefined,
  }));
}

/** Asks one question of a gateway whose models have the names of their backends' dialects. */
export function ask(url: string, nonce: string, question: Question): Promise<Asked> {
  const { client, backend, stream, leaveAfter } = question;
  const { path, body } = (stream ? STREAM : ASK)[client](backend);
  const payload = JSON.stringify(body).replace('Hello', `nonce-${nonce}-`);
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      path,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) },
      agent: false,
    });
    let text = '';
    const foreign = (): string[] =>
      [...text.matchAll(/nonce-[a-z0-9]+-/g)].map(([found]) => found).filter((found) => found !== `nonce-${nonce}-`);
    const leave = (): void => {
      outgoing.destroy();
      resolve({ outcome: 'left', foreign: foreign() });
    };
    outgoing.on('error', (error) => (leaveAfter === undefined ? reject(error) : leave()));
    if (leaveAfter === 0) setTimeout(leave, 1);
    outgoing.on('response', (response) => {
      response.setEncoding('utf8');
      response.on('error', () => {});
      response.on('data', (chunk: string) => {
        text += chunk;
        if (leaveAfter !== undefined && text.length >= leaveAfter) leave();
      });
      response.on('end', () => {
        if (response.statusCode !== 200) return reject(new Error(`${response.statusCode} ${text}`));
        const whole = stream ? textOf(client, eventsOf(text, 'stream')) : text;
        if (!whole.includes(`nonce-${nonce}-`.repeat(20))) return reject(new Error(`not its own answer: ${text}`));
        resolve({ outcome: 'whole', foreign: foreign() });
      });
    });
    outgoing.end(payload);
  });
}
