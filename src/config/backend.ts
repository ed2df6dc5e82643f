import type { DialectId } from '../../translators/index.js';
import { gatewayDialect, gatewayDialects } from '../dialects/index.js';
import { presets } from '../presets/index.js';
import { addressOf, apiVersionOf, defaultDomain, knownAs, type Report } from '../protocol/index.js';
import { formatPath, type Problem } from './problem.js';
import type { CheckedConfig } from './schema.js';
import type { BackendConfig, Origin } from './types.js';

type CheckedBackend = CheckedConfig['backends'][string];

/**
 * Fills in what a backend's entry leaves out: from the preset that it names, else from the one of its host, else by
 * default (configuration.md#keys, hosts.md#presets). After a reported mistake the rest is whatever makes it whole.
 */
export function resolveBackend(
  name: string,
  backend: CheckedBackend,
  { limits, translate }: Pick<CheckedConfig, 'limits' | 'translate'>,
  problems: Problem[],
): BackendConfig {
  const report: Report = (key, reason) => problems.push({ path: formatPath(['backends', name, key]), reason });
  const { preset: _named, region: _region, service: _service, ...given } = backend;
  const { preset, dialect } = knownAs(backend, report);
  const known = preset === undefined ? undefined : presets[preset.name];
  const own = gatewayDialect(dialect);
  const address = addressOf(backend, preset?.name, dialect, report);
  const endpoint = known?.endpoints[dialect];
  const auth = backend.auth ?? endpoint?.auth ?? known?.auth ?? own.keyForm;
  const state = backend.state ?? (own.keepsAnswers ? (backend.simulator ? 'own' : (known?.state ?? 'none')) : 'none');
  checkKeys(backend, dialect, report);
  return {
    ...given,
    name,
    endpoints: [],
    dialect,
    preset,
    baseUrl: address?.root,
    query: address?.query,
    ...apiVersionOf(endpoint, address?.query),
    auth,
    state,
    unsupported: backend.unsupported ?? endpoint?.unsupported ?? [],
    // The simulator answers it in its own words, as a service does.
    threads: backend.simulator || endpoint?.threads === true,
    cache: backend.cache ?? translate.cache,
    headers: { ...known?.headers, ...backend.headers },
    images: backend.images ?? own.images,
    videos: backend.videos ?? own.videos,
    domain: backend.domain ?? defaultDomain(dialect, address?.root ?? 'simulator:'),
    timeouts: {
      connect: backend.timeouts.connect ?? limits.connectSeconds,
      firstByte: backend.timeouts.firstByte ?? limits.firstByteSeconds,
      idle: backend.timeouts.idle ?? limits.idleSeconds,
      total: backend.timeouts.total ?? limits.totalSeconds,
    },
    origins: {
      dialect: originOf(backend.dialect, preset !== undefined),
      baseUrl: address?.completed ? 'file and preset' : originOf(backend.baseUrl, preset !== undefined),
      auth: originOf(backend.auth, known !== undefined),
      state: originOf(backend.state, own.keepsAnswers && known?.state !== undefined),
      unsupported: originOf(backend.unsupported, endpoint?.unsupported !== undefined),
    },
  };
}

function originOf(given: unknown, known: boolean): Origin {
  if (given !== undefined) return 'file';
  return known ? 'preset' : 'default';
}

/** What one key says about another. */
function checkKeys(backend: CheckedBackend, dialect: DialectId, report: Report): void {
  const { state, images, auth, apiKey } = backend;
  if (state === 'own' && !gatewayDialect(dialect).keepsAnswers) report('state', `${dialect} backends keep no answers`);
  const speaker = images && gatewayDialects.find(({ ownImages }) => ownImages.includes(images))?.id;
  if (speaker !== undefined && speaker !== dialect) report('images', `needs a backend of the ${speaker} dialect`);
  if (auth === 'client' && apiKey !== undefined) report('auth', '`client` excludes apiKey');
}
