/**
 * Translates away from the page, so that typing never waits for it. A job that a later one has taken the place of is left after the
 * target that it is at.
 */

import { detect } from '../detect.js';
import { dialectIds, dialects, jsonFault, presetNames, presets } from '../library.js';
import { isCurl } from '../recognise/is-curl.js';
import { rangeOf, type Spans, spansOf } from '../spans.js';
import { createFollower, type Follower, pathAt } from './follow.js';
import type { Answered, Asked, DialectFacts, Fault, Follow, Followed, Job, Read, Select } from './messages.js';
import { marksInBody, placesOf, rowsOf, told } from './places.js';
import { type Given, give, type Translation, textOf, translateBody, translateTo } from './translate.js';

/** The last job as far as it is done. */
interface Work {
  readonly id: number;
  readonly given: Given;
  readonly translations: Translation[];
  /** Of the source; found with the first question for it. */
  spans?: Spans;
  shown?: { readonly translation: Translation; readonly text: string; spans?: Spans; follower?: Follower };
}

let newest = 0;
let work: Work | undefined;

const say = (answer: Answered): void => self.postMessage(answer);

/** Lets messages in that came meanwhile. */
const breathe = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });

self.onmessage = ({ data }: MessageEvent<Asked>): void => {
  switch (data.type) {
    case 'facts':
      say({ type: 'facts', dialects: dialectIds.map(factsOf) });
      break;
    case 'judge':
      newest = data.id;
      breathe()
        .then(() => judge(data))
        .catch((error: unknown) => {
          // Of what was done before the failure nothing is shown. The page hears of what nobody caught.
          work = undefined;
          setTimeout(() => {
            throw error;
          });
        });
      break;
    case 'select':
      select(data);
      break;
    case 'follow':
      follow(data);
      break;
  }
};

function factsOf(id: DialectFacts['id']): DialectFacts {
  const { profileNames, mainline } = dialects[id];
  const isName = (name: string): boolean => !/[.-]$/.test(name);
  return {
    id,
    mainline,
    models: [...new Set(profileNames.map((name) => name.replace(/\*$/, '')))].filter(isName),
    hosts: presetNames.filter((name) => presets[name].endpoints[id] !== undefined),
  };
}

async function judge(job: Job): Promise<void> {
  const { id, targets, selected } = job;
  if (id !== newest) return;
  const { read, given } = readSource(job);
  say(read);
  work = undefined;
  if (given !== undefined) {
    const current: Work = { id, given, translations: [] };
    work = current;
    // What is seen comes first.
    const order = targets.map((_, index) => index).sort((a, b) => Number(b === selected) - Number(a === selected));
    for (const index of order) {
      const target = targets[index];
      if (target === undefined) continue;
      const translation = translateTo(given, target);
      current.translations[index] = translation;
      say({ type: 'judged', id, index, verdict: translation.verdict });
      if (index === selected) show(current, index);
      await breathe();
      if (id !== newest) return;
    }
    current.spans = placesOf(given);
    const { rows, places, beyond } = rowsOf(given, current.spans, current.translations);
    say({ type: 'rows', id, rows: JSON.stringify(rows), places, beyond });
    await breathe();
    if (id !== newest) return;
    mark(current, selected);
  }
  say({ type: 'done', id });
}

/** What a text is; `given` is absent where it cannot be translated. */
function readSource(job: Job): { readonly read: Read; readonly given?: Given } {
  const { id, text, strict, allow, status, betas, model: inUrl } = job;
  const looks = detect(text);
  const kind = job.kind ?? looks.kind ?? 'request';
  const dialect = job.dialect ?? looks.dialect;
  const common = { type: 'read', id, kind, model: inUrl ?? '', ...(dialect && { dialect }) } as const;
  if (text.trim() === '') return { read: { ...common, problem: EMPTY } };
  if (isCurl(text)) return { read: { ...common, problem: NO_BODY } };
  const now = Math.floor(Date.now() / 1000);
  const source = { text, kind, strict, allow, status, betas, now, ...(inUrl !== undefined && { model: inUrl }) };
  if (kind === 'stream') {
    if (dialect === undefined) return { read: { ...common, problem: UNKNOWN } };
    return { read: common, given: give({ ...source, dialect }, undefined) };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const fault = faultIn(text);
    return { read: { ...common, ...(fault === undefined ? { problem: UNKNOWN } : { fault }) } };
  }
  if (dialect === undefined) return { read: { ...common, problem: UNKNOWN } };
  const { model } = Object(value) as { readonly model?: unknown };
  const asked = typeof model === 'string' ? model : common.model;
  return { read: { ...common, model: asked }, given: give({ ...source, dialect }, value) };
}

const EMPTY =
  'Paste a request, an answer, a stream or an error here; or a curl command, an entry of a HAR file, a call of an SDK.';
const UNKNOWN = 'No dialect is recognised: paste JSON, a stream or a curl command, or choose a dialect.';
const NO_BODY = 'This command has no JSON in it: paste one with -d and the body, or the body alone.';

function faultIn(text: string): Fault | undefined {
  const fault = jsonFault(text);
  if (fault === undefined) return undefined;
  const { offset, line, column, expected } = fault;
  const [word = ''] = /^(?:[\w.+-]+|\S)/.exec(text.slice(offset, offset + 40)) ?? [];
  return { start: offset, end: offset + word.length, line, column, expected };
}

/** Tells of the translation for a target. */
function show(current: Work, index: number): void {
  const translation = current.translations[index];
  if (translation === undefined) return;
  const { given, id } = current;
  const { refusal } = translation.verdict;
  // What strict or the translation refuses has no body that would be sent.
  const isSent = refusal === undefined || refusal.by === 'service';
  const text = isSent ? textOf(translation) : '';
  current.shown = { translation, text };
  const events = given.frames.map(({ start, end, name }) => ({ start, end, name }));
  const steps = isSent ? (translation.steps ?? []) : [];
  say({
    type: 'shown',
    id,
    index,
    text,
    ...(translation.request !== undefined && { request: translation.request }),
    events,
    steps: steps.map((step) => ({ text: step.text, losses: step.losses.map(told) })),
  });
}

function mark(current: Work, index: number): void {
  const { shown, given, id } = current;
  if (shown === undefined || shown.text === '' || given.value === undefined) return;
  say({ type: 'marked', id, index, marks: marksInBody(given, shown.text, shown.translation) });
}

function select({ id, selected }: Select): void {
  if (work !== undefined) {
    show(work, selected);
    mark(work, selected);
  }
  say({ type: 'done', id });
}

function follow(question: Follow): void {
  const { id, side } = question;
  say(found(question) ?? { type: 'followed', id, side, others: [] });
}

/** What is found; undefined where there is nothing to follow. */
function found({ id, side, offset }: Follow): Followed | undefined {
  const { given, shown } = work ?? {};
  if (work === undefined || given?.value === undefined || shown === undefined || shown.text === '') return undefined;
  work.spans ??= placesOf(given);
  shown.spans ??= spansOf(shown.text);
  const { target } = shown.translation;
  shown.follower ??= createFollower(
    given.value,
    shown.translation.value,
    (body) => translateBody(given.source, body, target).value,
  );
  const [own, others] = side === 'source' ? [work.spans, shown.spans] : [shown.spans, work.spans];
  const path = own && pathAt(own, offset);
  if (own === undefined || others === undefined || path === undefined) return undefined;
  const { places, nowhere } = shown.follower.follow(side, path);
  const why = side === 'source' ? 'Nothing of this is in the translation.' : 'The translation adds this.';
  return {
    type: 'followed',
    id,
    side,
    own: rangeOf(own, path),
    others: places.map((place) => rangeOf(others, place)),
    ...(nowhere && { nowhere: why }),
  };
}
