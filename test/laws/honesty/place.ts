import type { Citation, Part } from '../../../translators/canonical/content.js';
import type { CanonicalRequest } from '../../../translators/canonical/request.js';
import { allSettings } from '../../support/members.js';

/** Fields of a request that are no nodes, and that no table of members names: their loss paths come from `at`, keyed by feature. */
const FIELDS: readonly (readonly [feature: string, path: string])[] = [
  ['turns', '/turns'],
  ['tools', '/tools'],
  ['instructions', '/instructions'],
  ['cache.ttl', '/cache/ttl'],
  ['cache.mark', '/cache'],
];

function places(): (readonly [feature: string, path: string])[] {
  const settings = allSettings().filter(({ field }) => field !== 'cache' && field !== 'stream');
  return [
    ...settings.map(({ field, feature = field }) => [feature, `/${field.replace('.', '/')}`] as const),
    ...FIELDS,
  ];
}

/** A request in which every node, and every field by `at`, names its own place in the canonical tree. */
export function placed(request: CanonicalRequest): CanonicalRequest {
  return {
    ...request,
    instructions: request.instructions.map((instruction, index) => ({
      ...instruction,
      parts: placedParts(instruction.parts, `/instructions/${index}/parts`),
      src: { ptr: `/instructions/${index}` },
    })),
    turns: request.turns.map((turn, index) => ({
      ...turn,
      parts: placedParts(turn.parts, `/turns/${index}/parts`),
      src: { ptr: `/turns/${index}` },
    })),
    tools: request.tools.map((tool, index) => ({ ...tool, src: { ptr: `/tools/${index}` } })),
    ...(request.toolChoice && { toolChoice: { ...request.toolChoice, src: { ptr: '/toolChoice' } } }),
    ...(request.output && { output: { ...request.output, src: { ptr: '/output' } } }),
    ...(request.reasoning && { reasoning: { ...request.reasoning, src: { ptr: '/reasoning' } } }),
    ...(request.safety && {
      safety: request.safety.map((one, index) => ({ ...one, src: { ptr: `/safety/${index}` } })),
    }),
    at: Object.fromEntries(places().filter(([, path]) => path.split('/').slice(1).reduce(step, request) !== undefined)),
    src: { ptr: '' },
  };
}

function step(node: unknown, key: string): unknown {
  return typeof node === 'object' && node !== null ? Reflect.get(node, key) : undefined;
}

function placedParts<P extends Part>(parts: readonly P[], at: string): P[] {
  return parts.map((part, index) => placedPart(part, `${at}/${index}`));
}

function placedPart<P extends Part>(part: P, ptr: string): P {
  const own = { ...part, src: { ptr } };
  switch (own.kind) {
    case 'result':
    case 'textdoc':
    case 'searchResult':
      return { ...own, parts: placedParts<Part>(own.parts, `${ptr}/parts`) };
    case 'text':
      return own.citations === undefined ? own : { ...own, citations: placedCitations(own.citations, ptr) };
    case 'toolChange':
      return {
        ...own,
        added: own.added.map((tool, index) => ({ ...tool, src: { ptr: `${ptr}/added/${index}` } })),
      };
    default:
      return own;
  }
}

function placedCitations(citations: readonly Citation[], ptr: string): Citation[] {
  return citations.map((citation, index) => ({ ...citation, src: { ptr: `${ptr}/citations/${index}` } }));
}
