import { pathToFileURL } from 'node:url';
import { agentConversation } from '../support/agent-conversation.js';
import { translateRequest } from './built.js';
import { freshBytes, MARK } from './fresh.js';
import type { Load } from './load-process.js';
import { compare, type Effort, type Row } from './measure.js';
import { besideGateway, GATEWAYS } from './peer-gateways.js';
import { moduleFile, moduleVersion } from './peer-places.js';

const LIBRARY = 'llm-bridge';

/** Name and version of each peer; undefined where it is not installed. */
export const PEERS: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(GATEWAYS.map(({ name, version }) => [name, version()])),
  [LIBRARY]: moduleVersion(LIBRARY),
};

/** The same work done by others in the same run: chat completions to messages, which all of them can. */
export async function benchPeers(load: Load, effort: Effort): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const peer of GATEWAYS) if (PEERS[peer.name] !== undefined) rows.push(...(await besideGateway(peer, load)));
  if (PEERS[LIBRARY] !== undefined) rows.push(await besideLibrary(effort));
  return rows;
}

/** Translates the same conversation. What the other library checks or tells of losses is its own affair. */
async function besideLibrary(effort: Effort): Promise<Row> {
  const { translateBetweenProviders } = (await import(pathToFileURL(moduleFile(LIBRARY, 'dist/index.mjs')).href)) as {
    translateBetweenProviders(from: string, to: string, body: unknown): unknown;
  };
  const text = JSON.stringify(agentConversation('chatCompletions', 75)).replace('Go on until', `${MARK}: go on until`);
  const bytes = freshBytes(text);
  const decoder = new TextDecoder();
  return compare(
    { target: 'peerLibrary', detail: 'chatCompletions to messages' },
    {
      fresh: () => JSON.parse(decoder.decode(bytes())) as unknown,
      work: (body) => {
        translateRequest({ from: 'chatCompletions', to: 'messages', body, model: 'claude-sonnet-4-5', stream: true });
      },
      floor: (body) => {
        translateBetweenProviders('openai', 'anthropic', body);
      },
    },
    effort,
  );
}
