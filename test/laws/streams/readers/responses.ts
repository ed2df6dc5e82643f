import type { Loss } from '../../../../translators/index.js';
import type { Wire } from '../generate/values.js';
import { framesIn } from './events.js';
import { asList, asObject, asText, isCount, must, type Reading, same } from './reading.js';

/** A list of pieces of an item: contents of a message, paragraphs of reasoning. */
interface Piece {
  readonly type: string;
  text: string;
  readonly annotations: unknown[];
  said: boolean;
  done: Wire | undefined;
}

interface Open {
  readonly id: string;
  readonly head: Wire;
  readonly content: Piece[];
  readonly summary: Piece[];
  /** Arguments, free input or code. */
  text: string;
  told: string | undefined;
  readonly steps: string[];
}

/** Events of [R §5.3] that carry pieces of a call, by the type of its item. */
const TEXTS: Readonly<Record<string, { readonly event: string; readonly done: string; readonly field: string }>> = {
  function_call: { event: 'response.function_call_arguments', done: 'arguments', field: 'arguments' },
  custom_tool_call: { event: 'response.custom_tool_call_input', done: 'input', field: 'input' },
  code_interpreter_call: { event: 'response.code_interpreter_call_code', done: 'code', field: 'code' },
  mcp_call: { event: 'response.mcp_call_arguments', done: 'arguments', field: 'arguments' },
};

const STEPS: Readonly<Record<string, RegExp>> = {
  web_search_call: /^in_progress searching completed$/,
  file_search_call: /^in_progress searching completed$/,
  code_interpreter_call: /^in_progress interpreting completed$/,
  image_generation_call: /^in_progress generating (partial_image )*completed$/,
  mcp_call: /^in_progress (completed|failed)$/,
  mcp_list_tools: /^in_progress (completed|failed)$/,
};

const LAST = new Set(['response.completed', 'response.incomplete', 'response.failed']);

/** Reads a stream as a strict client of this dialect: the grammar of [R §5.3], and what [R §5.6] demands. */
export function readResponses(text: string): Reading {
  const losses: Loss[] = [];
  const items: Wire[] = [];
  let open: Open | undefined;
  let sequence = 0;
  let id: string | undefined;
  let error: Wire | undefined;
  let final: Wire | undefined;
  for (const frame of framesIn(text)) {
    if ('losses' in frame) {
      must(final === undefined, 'losses are told before the last word');
      losses.push(...frame.losses);
      continue;
    }
    const { type, data } = frame;
    must(final === undefined, 'nothing follows the last word', type);
    must(error === undefined || type === 'response.failed', 'an error is followed by the failure only', type);
    must(data.sequence_number === sequence, 'events are numbered', data.sequence_number);
    sequence += 1;
    if (type === 'error') {
      error = asObject(data.error, 'the error');
      for (const key of ['code', 'message', 'param'])
        must(same(error[key], data[key]), 'an error is told flat too', data);
      must(open === undefined, 'items are closed before the error');
      continue;
    }
    must(!('error' in data), 'no other event has an error');
    if ('response' in data) {
      const response = asObject(data.response, 'the response');
      must(id === undefined ? type === 'response.created' : response.id === id, 'one id throughout', response.id);
      id = asText(response.id, 'the id');
      if (LAST.has(type)) {
        must(open === undefined, 'items are closed before the last word');
        final = response;
        checkLast(type, response, items, error);
      } else {
        must(response.status === 'in_progress' && response.usage === null, 'the answer is on its way', response.status);
        must(asList(response.output, 'output').length === items.length, 'it holds what was said');
      }
      continue;
    }
    must(id !== undefined, 'response.created comes first', type);
    must(data.output_index === items.length, 'items are counted from 0 and do not overlap', data);
    if (type === 'response.output_item.added') {
      must(open === undefined, 'one item after the other');
      open = begin(asObject(data.item, 'the item'));
    } else if (type === 'response.output_item.done') {
      must(open !== undefined, 'an item is added before it is done');
      items.push(whole(open, asObject(data.item, 'the item')));
      open = undefined;
    } else {
      must(open !== undefined && data.item_id === open.id, 'an event names its item', data);
      step(open, type, data);
    }
  }
  if (error !== undefined) {
    must(id === undefined || final !== undefined, 'a response that began fails as such');
    return { error, losses };
  }
  must(final !== undefined, 'a stream ends');
  return { final, losses };
}

function begin(head: Wire): Open {
  const { type } = head;
  const id = asText(head.id, 'the id of an item');
  must(id !== '', 'an id is not empty');
  if (type === 'message') must(same(head.content, []) && head.status === 'in_progress', 'a message starts empty', head);
  if (type === 'reasoning') must(same(head.summary, []), 'reasoning starts empty', head);
  if (type === 'function_call' || type === 'custom_tool_call') {
    must(
      asText(head.call_id, 'call_id') !== '' && asText(head.name, 'name') !== '',
      'a call has its id and name',
      head,
    );
  }
  const texts = TEXTS[String(type)];
  if (texts !== undefined) must(head[texts.field] === '', 'a call starts empty', head);
  return { id, head, content: [], summary: [], text: '', told: undefined, steps: [] };
}

function step(open: Open, type: string, data: Wire): void {
  const texts = TEXTS[String(open.head.type)];
  if (type === `${texts?.event}.delta`) {
    must(open.told === undefined, 'no delta follows the end', data);
    open.text += asText(data.delta, 'the delta');
  } else if (type === `${texts?.event}.done`) {
    open.told = asText(data[texts?.done ?? ''], 'the whole');
    must(open.told === open.text || (open.text === '' && open.told === '{}'), 'the whole is the sum of its deltas', {
      told: open.told,
      text: open.text,
    });
  } else if (type.startsWith(`response.${String(open.head.type)}.`)) {
    open.steps.push(type.slice(`response.${String(open.head.type)}.`.length));
  } else {
    stepPiece(open, type, data);
  }
}

/** Where the pieces of an event belong, and how its kind is spelled. */
const PIECES: Readonly<
  Record<string, { readonly list: 'content' | 'summary'; readonly type: string; readonly field: string }>
> = {
  output_text: { list: 'content', type: 'output_text', field: 'text' },
  refusal: { list: 'content', type: 'refusal', field: 'refusal' },
  reasoning_text: { list: 'content', type: 'reasoning_text', field: 'text' },
  reasoning_summary_text: { list: 'summary', type: 'summary_text', field: 'text' },
};

function stepPiece(open: Open, type: string, data: Wire): void {
  const [, kind = '', verb = ''] = type.split(/^response\.|\.(?=[a-z]+$)/);
  if (kind === 'content_part' || kind === 'reasoning_summary_part') {
    const list = kind === 'content_part' ? open.content : open.summary;
    const index = kind === 'content_part' ? data.content_index : data.summary_index;
    const part = asObject(data.part, 'the part');
    if (verb === 'added') {
      must(index === list.length && list.every(({ done }) => done !== undefined), 'parts come one by one', data);
      must((part.text ?? part.refusal) === '', 'a part starts empty', part);
      if (part.type === 'output_text') must(same(part.annotations, []), 'a text starts without annotations', part);
      list.push({ type: asText(part.type, 'type'), text: '', annotations: [], said: false, done: undefined });
      return;
    }
    const piece = list.at(-1);
    must(verb === 'done' && piece !== undefined && index === list.length - 1, 'the open part ends', data);
    must(piece.said && (part.text ?? part.refusal) === piece.text, 'a part is the sum of its deltas', { part, piece });
    if (part.type === 'output_text')
      must(same(part.annotations, piece.annotations), 'and of its annotations', { part, piece });
    piece.done = part;
    return;
  }
  const annotation = type === 'response.output_text.annotation.added';
  const spelled = PIECES[annotation ? 'output_text' : kind];
  must(spelled !== undefined, 'only known events are written', type);
  const list = open[spelled.list];
  const piece = list.at(-1);
  const index = spelled.list === 'content' ? data.content_index : data.summary_index;
  must(piece !== undefined && piece.done === undefined && !piece.said, 'a piece belongs to an open part', data);
  must(index === list.length - 1 && piece.type === spelled.type, 'a piece fits its part', data);
  if (annotation) {
    must(data.annotation_index === piece.annotations.length, 'annotations are counted', data);
    piece.annotations.push(data.annotation);
  } else if (verb === 'delta') {
    piece.text += asText(data.delta, 'the delta');
  } else {
    must(verb === 'done' && data[spelled.field] === piece.text, 'a text is the sum of its deltas', { data, piece });
    piece.said = true;
  }
}

function whole(open: Open, node: Wire): Wire {
  const { head } = open;
  must(
    node.id === head.id && node.type === head.type && node.call_id === head.call_id,
    'an item keeps its identity',
    node,
  );
  const pieces = [...open.content, ...open.summary];
  must(
    pieces.every(({ done }) => done !== undefined),
    'every part is closed',
  );
  if (head.type === 'message') {
    const told = { ...node, content: open.content.map(({ done }) => done) };
    must(same(withoutLate(node), withoutLate(told)), 'a message is its parts', node);
  }
  if (head.type === 'reasoning') {
    must(
      same(
        node.summary,
        open.summary.map(({ done }) => done),
      ),
      'a summary is its parts',
      node,
    );
    if (open.content.length > 0)
      must(
        same(
          node.content,
          open.content.map(({ done }) => done),
        ),
        'so is its full text',
        node,
      );
  }
  const texts = TEXTS[String(head.type)];
  if (texts !== undefined) {
    must(open.told !== undefined || head.type === 'custom_tool_call', 'a call tells its whole text', node);
    must(node[texts.field] === (open.told ?? open.text), 'the item holds it', { node, told: open.told });
  }
  const grammar = STEPS[String(head.type)];
  if (grammar !== undefined && node.status === 'completed')
    must(grammar.test(open.steps.join(' ')), 'a hosted call goes its way', open.steps);
  return node;
}

/** Everything that the last word holds. */
function checkLast(type: string, response: Wire, items: readonly Wire[], error: Wire | undefined): void {
  const status = type.slice('response.'.length);
  // There is no last word for an answer that was cancelled.
  const cancelled = response.status === 'cancelled';
  const ended = cancelled ? 'failed' : response.status;
  must(ended === status, 'the last word says how it ended', response.status);
  must(error === undefined || status === 'failed', 'an error is followed by the failure', status);
  const output = asList(response.output, 'output');
  must(output.length === items.length, 'the output holds every item');
  items.forEach((item, index) => {
    must(same(withoutLate(output[index]), withoutLate(item)), 'as it was told', { item, output: output[index] });
  });
  if (status === 'incomplete') asText(asObject(response.incomplete_details, 'details').reason, 'reason');
  if (status === 'failed' && !cancelled) asText(asObject(response.error, 'error').code, 'code');
  else {
    const usage = asObject(response.usage, 'usage');
    for (const key of ['input_tokens', 'output_tokens', 'total_tokens'])
      must(isCount(usage[key]), 'usage counts', usage);
  }
}

/** An item without what may come when its texts are closed: annotations and log probabilities (translation.md 6.6). */
function withoutLate(value: unknown): unknown {
  const item = asObject(value, 'an item');
  if (item.type !== 'message') return item;
  const content = asList(item.content, 'content').map((part) => ({
    ...asObject(part, 'a part'),
    annotations: [],
    logprobs: [],
  }));
  return { ...item, content };
}
