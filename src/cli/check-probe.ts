import { dialects } from '../../translators/index.js';
import type { BackendConfig, Config, TargetConfig } from '../config/index.js';
import { BOUNDS, differencesFrom, differencesLines, headOf, probeHosts } from '../probe/index.js';
import { profileAt } from '../protocol/index.js';
import { complain, EXIT, print, type Values } from './command.js';
import { mayProbe } from './probe-consent.js';

/** Asks each backend of a configuration whether it does what is known of it. Gives the exit code: 1 where one does not, does not answer, or may not be asked. */
export async function checkByProbing(config: Config, values: Values): Promise<number> {
  const all = Object.values(config.backends).filter(({ simulator }) => !simulator);
  const asked = all.filter(isAskable);
  for (const { name, auth } of all)
    if (!asked.some((one) => one.name === name)) complain(`interlingua check: ${name} is not probed: auth ${auth}`);
  const sendings = asked.map((backend) => ({
    url: backend.baseUrl ?? '',
    calls: BOUNDS.calls,
    hasKey: backend.apiKey !== undefined,
    model: targetOf(config, backend)?.model,
  }));
  if (!(await mayProbe(sendings, values))) {
    complain('interlingua check: nothing was sent');
    return EXIT.failed;
  }
  const results = [];
  for (const backend of asked) results.push(await resultOf(config, backend));
  if (values.json === true)
    print(JSON.stringify({ backends: results.map(({ lines: _lines, ...one }) => one) }, null, 2));
  else for (const { lines } of results) for (const line of lines) print(line);
  return results.every(({ differences, answers }) => answers && differences.length === 0) ? 0 : EXIT.failed;
}

/** Credentials of clouds are made for each call by packages of theirs, and callers' own are nobody's here. */
function isAskable({ auth }: BackendConfig): boolean {
  return auth !== 'google' && auth !== 'aws' && auth !== 'client';
}

/** The first target of a backend by an exact name of a model; its model is what the backend calls it. */
function targetOf({ models }: Config, { name }: BackendConfig): TargetConfig | undefined {
  for (const [alias, targets] of Object.entries(models)) {
    const target = targets.find(({ backend }) => backend === name);
    const model = target?.model ?? alias;
    if (target !== undefined && !model.includes('*')) return { ...target, model };
  }
  return undefined;
}

async function resultOf(config: Config, backend: BackendConfig) {
  const { name, dialect, unsupported, baseUrl = '' } = backend;
  const { model, profile = backend.profile } = targetOf(config, backend) ?? {};
  const report = await probeHosts([backend], baseUrl, { ...(model !== undefined && { model }) });
  const probed = report.model ?? '';
  const known = { unsupported, target: dialects[dialect].target(probed, profileAt(backend, profile)) };
  const differences = differencesFrom(known, report.findings);
  const answers = report.endpoints.some((one) => one.answers);
  const outcome = differences.length === 0 ? 'as configured' : 'not as configured';
  const lines = [...headOf(report), ...differencesLines(differences)].map((line) => `  ${line}`);
  return {
    ...{ name, dialect, answers, server: report.server, model: report.model, calls: report.calls, differences },
    lines: [`${name}: ${answers ? outcome : 'does not answer'}`, ...lines],
  };
}
