import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProvider } from '@pydantic/genai-prices';

/** The models that the official clients and the package of prices know by name. */
export interface ModelLists {
  /** The names in the types of an official client. */
  readonly sdk: (vendor: 'openai' | 'anthropic' | 'google') => readonly string[];
  /** The models that the package has of a service, by its address: their names without patterns, and their windows. */
  readonly priced: (api: string) => readonly { readonly names: readonly string[]; readonly window?: number }[];
}

/** Where the types of the official clients list the names of models. */
const LISTS = {
  openai: [
    ['node_modules/openai/resources/shared.d.ts', 'ChatModel'],
    ['node_modules/openai/resources/shared.d.ts', 'AllModels'],
  ],
  anthropic: [['node_modules/@anthropic-ai/sdk/resources/messages/messages.d.ts', 'Model']],
  google: [['node_modules/@google/genai/dist/genai.d.ts', 'Model_2']],
} as const;

/** The lists as they are installed below `root`. Throws where the types of a client have no such list any more. */
export function installedLists(root: string): ModelLists {
  return {
    sdk: (vendor) => LISTS[vendor].flatMap(([file, type]) => namesIn(readFileSync(join(root, file), 'utf8'), type)),
    priced: (api) =>
      findProvider({ providerApiUrl: api })?.models.map(({ id, match, context_window: window }) => ({
        names: [...new Set([id, ...equalsOf(match)])],
        window,
      })) ?? [],
  };
}

function namesIn(text: string, type: string): readonly string[] {
  const [, union = ''] = new RegExp(`\\btype ${type} = ([^;]+);`).exec(text) ?? [];
  const names = [...union.matchAll(/['"]([^'"]+)['"]/g)].map(([, name = '']) => name);
  if (names.length === 0) throw new Error(`no names of models in the type ${type}`);
  return names;
}

function equalsOf(match: unknown): readonly string[] {
  if (typeof match !== 'object' || match === null) return [];
  if ('equals' in match) return [String(match.equals)];
  return 'or' in match && Array.isArray(match.or) ? match.or.flatMap(equalsOf) : [];
}
