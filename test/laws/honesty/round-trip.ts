import { decodeRequest, encodeRequest, requirements, TranslationError } from '../../../translators/index.js';
import { untold } from './honesty.js';
import { choiceOf, DOMAINS, FETCHED, profileOf, type Target } from './targets.js';

/** A body there and back: what differs in it and neither report names; undefined where one of the ways is refused. */
export function roundTrip(body: unknown, home: Target, via: Target): readonly string[] | undefined {
  const read = ({ dialect, model }: Target, from: unknown, stream: boolean) =>
    decodeRequest(dialect, from, { model, stream });
  try {
    const x = read(home, body, false);
    const there = send(x.value, via);
    const inBetween = read(via, there.value, there.stream);
    const back = send(inBetween.value, home);
    const y = read(home, back.value, back.stream).value;
    const told = [...x.losses, ...there.losses];
    return untold({ ...x.value, model: home.model }, y, told, [...inBetween.losses, ...back.losses], home, via);
  } catch (thrown) {
    if (thrown instanceof TranslationError && thrown.kind !== 'internal') return undefined;
    throw thrown;
  }
}

export function send(request: Parameters<typeof encodeRequest>[1], target: Target) {
  const { model, dialect } = target;
  const media = new Map(FETCHED);
  for (const { url } of requirements(request, profileOf(target)).media) {
    if (!media.has(url)) media.set(url, /\.pdf/i.test(url) ? PDF : PNG);
  }
  return encodeRequest(dialect, request, { model, profile: choiceOf(target), domain: DOMAINS[dialect], media });
}

const PNG = { mime: 'image/png', base64: 'iVBORw0KGgo=' };
const PDF = { mime: 'application/pdf', base64: 'JVBERi0xLjQK' };
