import { isObject } from '../ground/index.js';
import { type Draft, type TargetInput, unweighted } from './draft.js';
import { type Fields, fieldsOf, type Placed } from './fields.js';
import { type Deployment, deploymentOf, type Shared, timeoutsOf } from './litellm-deployment.js';
import { noteRest } from './rest.js';
import { retriesOf } from './retries.js';

/** How LiteLLM refers to variables of the environment. */
export const LITELLM_REFERENCES = { pattern: /os\.environ\/(\w+)/g };

/** Reads a `config.yaml` of the LiteLLM proxy. */
export function importLitellm(source: Fields, draft: Draft): void {
  const [router, settings, general] = [
    source.map('router_settings'),
    source.map('litellm_settings'),
    source.map('general_settings'),
  ];
  const shared = sharedOf(router, settings, general, draft);
  const deployments = source.list('model_list').flatMap((placed) => {
    const entry = fieldsOf(placed);
    const made = deploymentOf(entry, shared, draft);
    noteRest([entry], draft, REASONS);
    return made ?? [];
  });
  for (const name of new Set(deployments.map((one) => one.name))) {
    draft.model(name, balanced(deployments.filter((one) => one.name === name)));
  }
  fallBack(deployments, router, settings, draft);
  for (const alias of aliasesOf(router)) {
    const targets = draft.targetsOf(alias.model);
    if (targets === undefined) draft.note(alias.path, 'no place', `means ${alias.model}, which is no model here`);
    else draft.model(alias.name, targets);
  }
  keysOf(general, draft);
  const most = general.number('global_max_parallel_requests');
  if (most !== undefined && most > 0) draft.set({ limits: { exchanges: most } });
  if (settings.flag('drop_params') !== undefined) {
    draft.set({ losses: 'report' });
    draft.note(
      settings.at('drop_params'),
      'changed',
      'what a backend does not take is left out and reported; losses: strict refuses it',
    );
  }
  if (settings.flag('set_verbose') === true) draft.set({ log: { level: 'debug' } });
  // Logs are JSON, and weights are what it shuffles by.
  settings.flag('json_logs');
  if (router.names().includes('routing_strategy') && router.text('routing_strategy') !== 'simple-shuffle')
    draft.note(
      router.at('routing_strategy'),
      'no place',
      'targets are drawn by their weights, and tried in order behind a failure',
    );
  for (const { path } of fieldsOf({
    value: source.take('environment_variables'),
    path: 'environment_variables',
  }).rest())
    draft.note(path, 'no place', 'set it in the environment');
  noteRest([source], draft, REASONS);
}

/** What holds for all backends. */
function sharedOf(router: Fields, settings: Fields, general: Fields, draft: Draft): Shared {
  const timeout = router.number('timeout') ?? settings.number('request_timeout');
  const allowed = router.number('allowed_fails') ?? settings.number('allowed_fails');
  const cooldown = router.number('cooldown_time') ?? settings.number('cooldown_time');
  const breaker = {
    ...(allowed !== undefined && { failures: Math.max(1, allowed + 1) }),
    ...(cooldown !== undefined && cooldown > 0 && { seconds: cooldown }),
  };
  const concurrency = general.number('max_parallel_requests') ?? router.number('default_max_parallel_requests');
  const off = router.flag('disable_cooldowns') === true;
  return {
    ...timeoutsOf(timeout),
    ...retriesOf(router, 'num_retries', draft, retriesOf(settings, 'num_retries', draft)),
    ...(off ? { breaker: false } : Object.keys(breaker).length > 0 && { breaker }),
    ...(concurrency !== undefined && concurrency >= 1 && { concurrency }),
  };
}

/** The deployments of a group: those of the lowest order share its calls, the others are fallbacks. */
function balanced(group: readonly Deployment[]): TargetInput[] {
  const least = Math.min(...group.map(({ order }) => order));
  const [first, later] = [group.filter(({ order }) => order === least), group.filter(({ order }) => order !== least)];
  const sharing =
    first.length > 1
      ? first.map(({ target, share }) => ({ ...target, weight: share ?? 1 }))
      : first.map(({ target }) => target);
  return [...sharing, ...later.toSorted((a, b) => a.order - b.order).map(({ target }) => target)];
}

/** Appends the targets of fallbacks, and of theirs, as LiteLLM goes on. */
function fallBack(deployments: readonly Deployment[], router: Fields, settings: Fields, draft: Draft): void {
  const rules = new Map<string, readonly Named[]>();
  for (const { value, path } of [...router.list('fallbacks'), ...settings.list('fallbacks')]) {
    if (!isObject(value)) draft.note(path, 'no place', 'is no map of a model and its fallbacks');
    const fields = fieldsOf({ value, path });
    for (const name of fields.names()) {
      rules.set(name, namesIn(fields.list(name), draft));
      if (name !== '*' && !deployments.some((one) => one.name === name))
        draft.note(fields.at(name), 'no place', `${name} is no model here`);
    }
    noteRest([fields], draft, REASONS);
  }
  const defaults = namesIn([...router.list('default_fallbacks'), ...settings.list('default_fallbacks')], draft);
  const own = new Map(
    [...new Set(deployments.map(({ name }) => name))].map((name) => [name, draft.targetsOf(name) ?? []] as const),
  );
  const behind = (name: string) => rules.get(name) ?? rules.get('*') ?? defaults;
  for (const { name: missing, path } of [...rules.values(), defaults].flat()) {
    if (!own.has(missing) && !deployments.some(({ id }) => id === missing))
      draft.note(path, 'no place', `${missing} is no model here`);
  }
  for (const [name, targets] of own) {
    const seen = new Set([name]);
    const added: TargetInput[] = [];
    const follow = (from: string): void => {
      for (const { name: next } of behind(from)) {
        if (seen.has(next)) continue;
        seen.add(next);
        const byId = deployments.find(({ id }) => id === next)?.target;
        added.push(...(own.get(next) ?? (byId === undefined ? [] : [byId])));
        if (own.has(next)) follow(next);
      }
    };
    follow(name);
    // Behind a failure they are tried in order, each once.
    const all = [...targets, ...added.map(unweighted)];
    const texts = all.map((target) => JSON.stringify(unweighted(target)));
    draft.model(
      name,
      all.filter((_target, index) => texts.indexOf(texts[index] ?? '') === index || index < targets.length),
    );
  }
}

interface Named {
  readonly name: string;
  readonly path: string;
}

/** The names of a list. What is none is reported. */
function namesIn(list: readonly Placed[], draft: Draft): Named[] {
  return list.flatMap(({ value, path }) => {
    if (typeof value === 'string') return [{ name: value, path }];
    draft.note(path, 'no place', 'is no name of a model: a fallback cannot have parameters of its own');
    return [];
  });
}

function aliasesOf(
  router: Fields,
): readonly { readonly name: string; readonly model: string; readonly path: string }[] {
  const aliases = router.map('model_group_alias');
  return aliases.names().flatMap((name) => {
    const path = aliases.at(name);
    const model = aliases.text(name) ?? aliases.map(name).text('model');
    return model === undefined ? [] : [{ name, model, path }];
  });
}

function keysOf(general: Fields, draft: Draft): void {
  const given = general.text('master_key');
  const key = draft.secret(given, general.at('master_key'), 'LITELLM_MASTER_KEY');
  if (key === undefined) return;
  draft.key({ name: 'master', key, operator: true });
  const short =
    given !== undefined && !given.startsWith('os.environ/') && given.length < 16 ? ': this one is too short' : '';
  draft.note(
    general.at('master_key'),
    'changed',
    `is a key of one caller; it needs 16 characters or more${short}. Keys of its database are to be written to keys`,
  );
}

/** Why settings have no place, by the end of their paths. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^litellm_settings\.cache/, 'answers are not kept for other requests; prompt caches of services are used'],
  [/callback/, 'exchanges are reported by metrics, logs and OpenTelemetry'],
  [
    /(?:context_window|content_policy)_fallbacks/,
    'fallbacks do not depend on the kind of failure: name the models in fallbacks',
  ],
  [/\.stream_timeout$/, 'one timeout holds for whole answers and streams'],
  [
    /^general_settings\.(?:database|store_model|store_prompts)/,
    'there is no database: keys and models stand in the file',
  ],
  [/enable_pre_call_checks/, 'requests are fitted to the windows that are known (contextWindow)'],
  [/redis/, 'several processes share their state by store, workers or Redis'],
  [
    /\.(?:temperature|top_p|max_tokens|max_completion_tokens|stop|seed|n|presence_penalty|frequency_penalty|extra_body)$/,
    'requests say it themselves',
  ],
  [/\.(?:retry_policy|allowed_fails_policy)/, 'failures are judged alike'],
  [/guardrail/, 'there are no guardrails'],
  [/budget|max_budget/, 'there are no budgets'],
  [/^mcp/, 'MCP servers are named by requests'],
];
