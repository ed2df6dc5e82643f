import { type HostStep, MEDIA_BELOW, type ResultForm, withMediaBehind } from '../../adapt/index.js';
import { isCarrier } from '../../wire/carrier.js';
import { isObject } from '../../wire/json.js';
import { nodesIn, withMember } from '../../wire/shared-copies.js';
import { isOutput } from '../tools/at-hosts.js';
import { isMedia } from './form.js';

/** What a host writes in the place of encrypted reasoning is text with spaces; what a service encrypts never has any. */
const NOT_OPAQUE = /[^\w+/=-]/;
const OPAQUE_LENGTH = 32;

/** What a service encrypted. Carriers are looked at where state of other backends is taken out. */
function isOpaque(state: string): boolean {
  return state.length >= OPAQUE_LENGTH && !NOT_OPAQUE.test(state) && !isCarrier(state);
}

/** What another service encrypted is not sent: such a host would read it as a thought. */
export const withoutEncryptedReasoning: HostStep = (body, { losses, places }) =>
  places.map(body, 'input', (item, path) => {
    const { encrypted_content: state } = item;
    if (item.type !== 'reasoning' || typeof state !== 'string' || !isOpaque(state)) return item;
    losses.add(path, 'reasoning.state', 'dropped', 'the host cannot read it');
    const isShown = textsOf(item.summary).length + textsOf(item.content).length > 0;
    return isShown ? withMember(item, 'encrypted_content', undefined) : [];
  });

/** Reasoning has its text as content, as the host wants it back; an item without any is left out. */
export const withReasoningContent: HostStep = (body, { losses, places }) =>
  places.map(body, 'input', (item, path) => {
    if (item.type !== 'reasoning' || textsOf(item.content).length > 0) return item;
    const content = textsOf(item.summary).map((text) => ({ type: 'reasoning_text', text }));
    if (content.length === 0) {
      losses.add(path, 'reasoning.state', 'dropped', 'the host accepts reasoning as text only');
      return [];
    }
    losses.add(path, 'reasoning.text', 'moved', 'the host accepts reasoning text as content');
    return { ...item, content };
  });

/** Messages of the assistant are written out: the type is there, and the content is a list. That says the same. */
export const withWholeMessages: HostStep = (body, { places }) =>
  places.map(body, 'input', (item) => {
    const { type = 'message', role, content } = item;
    const whole = item.type !== undefined && typeof content !== 'string';
    if (role !== 'assistant' || type !== 'message' || whole) return item;
    return { ...item, type, content: typeof content === 'string' ? [{ type: 'output_text', text: content }] : content };
  });

function textsOf(list: unknown): string[] {
  return nodesIn(list).flatMap(({ text }) => (typeof text === 'string' && text !== '' ? [text] : []));
}

/** Results of tools are one text, where all that they hold is text. */
export const withResultsOfOneText: HostStep = (body, { places }) =>
  places.map(body, 'input', (item) => {
    const parts: readonly unknown[] | undefined =
      isOutput(item) && Array.isArray(item.output) ? item.output : undefined;
    const isText = parts?.every((part) => isObject(part) && typeof part.text === 'string') === true;
    return isText ? { ...item, output: textsOf(parts).join('\n') } : item;
  });

const RESULTS: ResultForm = {
  content: 'output',
  isResult: isOutput,
  isMedia,
  leftOf: (parts) => textsOf(parts).join('\n') || MEDIA_BELOW,
  follow: (content) => [{ type: 'message', role: 'user', content }],
  text: (text) => ({ type: 'input_text', text }),
};

/** Media in the results of tools follows them in a message of the user. */
export const withResultsOfText: HostStep = (body, { losses, places }) => {
  const input = withMediaBehind(body.input, RESULTS, (made, result) => {
    const detail = 'the media is moved to a user message after the results';
    losses.add(places.of(result), 'result.media', 'moved', detail);
    return places.keep(made, result);
  });
  return withMember(body, 'input', input);
};
