import { gatewayDialect } from '../../../src/dialects/index.js';
import { betaLoss } from '../../../src/protocol/index.js';
import { isObject } from '../detect.js';
import { type DialectId, dialects, type Loss } from '../library.js';

/** What a request loses at every service of another dialect by the feature names of its header, where its body uses one of them. */
export function betaLosses(dialect: DialectId, betas: readonly string[], body: unknown): readonly Loss[] {
  const name = gatewayDialect(dialect).betaHeader;
  if (name === undefined || betas.length === 0 || !isObject(body)) return [];
  const losses: Loss[] = [];
  betaLoss(dialects[dialect], { [name]: betas.join(',') }, body, {
    add: (path, feature, kind, detail) => {
      if (typeof path === 'string') losses.push({ path, feature, kind, detail });
    },
  });
  return losses;
}
