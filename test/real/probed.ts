import type { PresetName } from '../../src/presets/index.js';
import { differences, differencesLines, probe } from '../../src/probe/index.js';
import type { FakeDialectName } from '../support/fake-backend/index.js';
import type { Place } from './exchange.js';

/**
 * What `interlingua probe` says of a server, held to the record of a preset: a line for each row in which it is otherwise, and one where the
 * probing ended early. What hangs on the model as well is no difference.
 */
export async function probedDifferences(
  { url, key, model }: Place,
  preset: PresetName,
  dialects: readonly FakeDialectName[],
): Promise<readonly string[]> {
  const report = await probe({ url, model, preset, dialects, ...(key !== undefined && { key }) });
  const { stopped } = report;
  return [
    ...differencesLines(differences(report, preset)),
    ...(stopped === undefined ? [] : [`not all was asked: ${stopped}`]),
  ];
}
