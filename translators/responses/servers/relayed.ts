import {
  asksInWords,
  fitOwnBody,
  type HostRow,
  type HostStep,
  leavesOut,
  MEDIA_BELOW,
  nearsEffort,
  type ResultForm,
  rewrites,
  withMediaBehind,
  withoutTools,
  withPlainMedia,
} from '../../adapt/index.js';
import type { Dialect } from '../../dialect.js';
import { withMember } from '../../wire/shared-copies.js';
import { createHostRestorer } from '../restored/index.js';
import { isOutput, textsOf, withFoundTools, withPlainFunctions, withPlainItems } from '../tools/at-hosts.js';
import { ENCODED } from './encoded.js';
import { FORM, isMedia } from './form.js';

/** Messages of the assistant are written out: the type is there, and the content is a list. That says the same. */
const withWholeMessages: HostStep = (body, { places }) =>
  places.map(body, 'input', (item) => {
    const { type = 'message', role, content } = item;
    const whole = item.type !== undefined && typeof content !== 'string';
    if (role !== 'assistant' || type !== 'message' || whole) return item;
    return { ...item, type, content: typeof content === 'string' ? [{ type: 'output_text', text: content }] : content };
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
const withResultsOfText: HostStep = (body, { losses, places }) => {
  const input = withMediaBehind(body.input, RESULTS, (made, result) => {
    const detail = 'the media is moved to a user message after the results';
    losses.add(places.of(result), 'result.media', 'moved', detail);
    return places.keep(made, result);
  });
  return withMember(body, 'input', input);
};

/** The words for the form of an answer stand behind the instructions. */
const withFormInWords = asksInWords(['/text/format'], ['json_object', 'json_schema'], (body, words) => {
  const { instructions } = body;
  const before = typeof instructions === 'string' && instructions !== '' ? `${instructions}\n\n` : '';
  return { ...body, instructions: before + words };
});

/** What bodies of the dialect need as well: tools are declared before they are named, and named before one is chosen. */
const RELAYED: readonly HostRow[] = [
  [['additionalTools', 'toolSearch'], withFoundTools],
  [['hostedTools', 'mcp'], withoutTools()],
  [['codexItems'], withPlainItems],
  [['customTools', 'namespaces'], withPlainFunctions],
  [['shortMessages'], withWholeMessages],
  [['documents', 'images', 'imageUrls'], withPlainMedia],
  [['resultMedia'], withResultsOfText],
  withFormInWords,
  leavesOut('effort', '/reasoning/effort', (effort) => typeof effort === 'string' && effort !== 'none'),
  nearsEffort('/reasoning/effort'),
  leavesOut('background', '/background', (value) => value === true),
  [['storeTrue'], rewrites('/store', (stores) => stores !== true && stores)],
];

/** A body for a host that speaks the dialect in part (hosts.md#presets), as {@link fitOwnBody} has it. */
export const fitHost: Dialect['fitHost'] = (body, context) =>
  fitOwnBody(FORM, [...RELAYED, ...ENCODED], body, context, createHostRestorer);
