import { TranslationError } from '../../../translators/index.js';
import { exists } from './json.js';

/** Why the matrix lets a translation be refused (translation.md 0.10 and the cells that refuse), by the words of the refusal. */
const FORESEEN: readonly (readonly [reason: string, words: RegExp])[] = [
  ['2.4: nothing is left to answer', /no user content/],
  ['2.4: the history ends in open calls', /^no tool output found for call/],
  ['2.4: an orphan result', /^no tool call found for the output/],
  ['2.7 rule 5: a result without id that fits no call', /without call_id, the id of its call, fits no call/],
  ['2.7: two names meet after aliasing', /^two tools would both be called/],
  ['2.2: more than one candidate', /one answer/],
  ['2.2: cachedContent of another service', /cached prompt/],
  ['2.2: answers in other media', /produces text|cannot produce/],
  ['2.6: media in a form that the target cannot take', /^media cannot be sent|does not accept/],
  ['2.6: media by an address that nobody fetched', /fetch/],
  ['2.6: a file of another vendor', /another service|file of the/],
  [
    '2.2: what another service holds',
    /^stored conversations|^the backend does not answer in|prompt template|only by the service that/,
  ],
  ['2.2: an earlier answer that nobody knows', /^previous response with id/],
  ['2.6: an item that nobody stored', /^item ".*" is not stored here$/],
  ['2.6: ciphertext of another vendor', /compacted conversation/],
  ['2.8: a server of tools, held to consent or to a list', /consent|list of tools|MCP servers by URL/],
  ['2.9: a forced tool that the target cannot have', /forced tool|forces a tool|call is forced|must be called/],
  ['2.9: a list names a tool that is not declared', /not declared/],
];

/** An item that is gone is the one thing that is not found, as at the service itself [R §3.7]. */
const KINDS: readonly string[] = ['unsupported', 'invalid_request', 'not_found'];

/** What is wrong with a refusal: not foreseen, of another kind, or of something that is not in the request. */
export function refusalFaults(thrown: unknown, request: unknown): string[] {
  if (!(thrown instanceof TranslationError)) return [`threw ${String(thrown)}`];
  const faults: string[] = [];
  if (!KINDS.includes(thrown.kind)) {
    faults.push(
      `refused as ${thrown.kind}: ${thrown.message} ${thrown.cause instanceof Error ? thrown.cause.stack : ''}`,
    );
  }
  if (!FORESEEN.some(([, words]) => words.test(thrown.message))) faults.push(`not foreseen: ${thrown.message}`);
  if (thrown.path === '' || !exists(request, thrown.path)) faults.push(`names "${thrown.path}": ${thrown.message}`);
  return faults;
}
