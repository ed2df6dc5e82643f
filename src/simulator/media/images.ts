import { readDirectives } from '../directives.js';
import type { Exchange } from '../exchange.js';
import { Refusal, type SimulatorAnswer } from '../http.js';
import { type JsonObject, stringOf } from '../json.js';
import { deliver, type Frame } from '../stream.js';
import { countTokens } from '../tokens.js';
import { readForm } from './form.js';
import { drawPicture } from './picture.js';
import { checkImages } from './rules.js';

const OPERATIONS = ['generations', 'edits', 'variations'] as const;
const OVERLOADED = { status: 503, message: 'The server is overloaded.' };
/** Tokens of one picture. */
const PICTURE_TOKENS = 100;

/** Serves the image routes: pictures from words, from pictures and words, from pictures alone (media.md 1.1 to 1.4). */
export function serveImages(exchange: Exchange, headers: Record<string, string>): SimulatorAnswer {
  const form = readForm(exchange);
  const operation = OPERATIONS.find((name) => exchange.path.endsWith(`/${name}`)) ?? 'generations';
  checkImages(form, operation);
  const request = form.fields;
  const prompt = operation === 'variations' ? 'a variation' : stringOf(request.prompt);
  const directives = readDirectives(prompt);
  if (directives.status !== undefined) throw new Refusal(directives.status, `simulated error ${directives.status}`);
  if (directives.refuse) {
    throw new Refusal(400, 'Your request was rejected by the safety system.', { code: 'content_policy_violation' });
  }
  if (String(request.stream) === 'true') {
    const prefix = operation === 'generations' ? 'image_generation' : 'image_edit';
    const frames = framesOf(request, prompt, prefix, exchange.now);
    const fail = (status: number, message: string): string[] => [
      frame('error', { type: 'error', error: { message, type: 'server_error', code: String(status), param: null } })
        .text,
    ];
    return {
      status: 200,
      headers: { ...headers, 'content-type': 'text/event-stream; charset=utf-8' },
      body: deliver({ frames, fail }, exchange.delivery(directives, OVERLOADED)),
    };
  }
  const n = Number(request.n ?? 1);
  const data = Array.from({ length: n }, (_one, index) => made(request, prompt, index));
  const body = { created: exchange.now, data, usage: usageOf(prompt, n) };
  return { status: 200, headers, body: JSON.stringify(body, null, 2) };
}

/** A link holds the picture itself: the simulator has no place where it could be fetched. */
function made(request: JsonObject, prompt: string, index: number): object {
  const base64 = drawPicture(prompt, stringOf(request.size), index).toString('base64');
  return request.response_format === 'url' ? { url: `data:image/png;base64,${base64}` } : { b64_json: base64 };
}

function* framesOf(request: JsonObject, prompt: string, prefix: string, now: number): Generator<Frame> {
  const size = stringOf(request.size, 'auto');
  const shared = { created_at: now, size, quality: 'low', background: 'opaque', output_format: 'png' };
  const picture = (index: number): string => drawPicture(prompt, size, index).toString('base64');
  const partials = Math.min(3, Number(request.partial_images) || 0);
  for (let index = 0; index < partials; index += 1) {
    const type = `${prefix}.partial_image`;
    yield frame(type, { type, b64_json: picture(index + 1), partial_image_index: index, ...shared }, 'delta');
  }
  const type = `${prefix}.completed`;
  yield frame(type, { type, b64_json: picture(0), ...shared, usage: usageOf(prompt, 1) }, 'end');
}

function frame(event: string, data: object, mark?: Frame['mark']): Frame {
  return { text: `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`, ...(mark !== undefined && { mark }) };
}

function usageOf(prompt: string, n: number): object {
  const text = countTokens(prompt);
  const output = n * PICTURE_TOKENS;
  return {
    total_tokens: text + output,
    input_tokens: text,
    output_tokens: output,
    input_tokens_details: { text_tokens: text, image_tokens: 0 },
  };
}
