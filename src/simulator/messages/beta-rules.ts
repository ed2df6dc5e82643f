import { type JsonObject, objectsOf, stringOf } from '../json.js';
import type { Violation } from '../violation.js';

/** Tools that are in beta, with how the name of their feature begins [M §2.5]. */
const BETA_TOOLS: readonly (readonly [RegExp, feature: string])[] = [
  [/^computer_\d{8}$/, 'computer-use-'],
  [/^(?:bash|text_editor)_20241022$/, 'computer-use-'],
  [/^mcp_toolset$/, 'mcp-client-'],
];

/** What the service refuses because `anthropic-beta` does not ask for it. */
export function checkBetas(body: JsonObject, header: string | undefined): Violation[] {
  const names = (header ?? '').split(',').map((name) => name.trim());
  const asked = (feature: string): boolean => names.some((name) => name.startsWith(feature));
  if (body.mcp_servers !== undefined && !asked('mcp-client-')) {
    return [{ message: 'mcp_servers: Extra inputs are not permitted' }];
  }
  return objectsOf(body.tools).flatMap((tool, index) => {
    const type = stringOf(tool.type);
    const feature = BETA_TOOLS.find(([pattern]) => pattern.test(type))?.[1];
    if (feature === undefined || asked(feature)) return [];
    return [
      { message: `tools.${index}: Input tag '${type}' found using 'type' does not match any of the expected tags` },
    ];
  });
}
