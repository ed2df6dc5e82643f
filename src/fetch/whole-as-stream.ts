import { dialects } from '../../translators/index.js';
import { checkAnswerType, errorInAnswer, isWhole, parseAnswer } from '../protocol/index.js';
import { type Call, Refusal } from './call.js';
import { type Answered, bytesOf, DEPTH } from './send.js';

/**
 * The answer to a request for a stream; one that came whole all the same goes on as the stream that the dialect's service would
 * have sent. Rejects with what to tell the client where it is none, or an error. `own` are headers of that error.
 */
export async function asStream(call: Call, answered: Answered, own: Record<string, string>): Promise<Answered> {
  const { headers, status } = answered;
  if (!isWhole(headers)) {
    checkAnswerType(headers, 'sse');
    return answered;
  }
  checkAnswerType(headers, 'json');
  const { host } = call.settings;
  const body = parseAnswer(await bytesOf(call, answered), { jsonDepth: DEPTH });
  const failed = errorInAnswer(host, body);
  if (failed !== undefined) throw new Refusal(failed, { status, own, losses: [], relayed: undefined });
  const type = 'text/event-stream; charset=utf-8';
  const response = new Response(dialects[host.dialect].wholeAsStream(body), { headers: { 'content-type': type } });
  return { status, headers: { ...headers, 'content-type': type }, response };
}
