import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { createInstruments } from '../../src/observe/metrics/instruments.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

const { registry } = createInstruments(() => undefined);
const metrics = await registry.getMetricsAsJSON();

/** Every name that a scrape may have, with the labels of its series. */
const NAMES = new Set(
  metrics.flatMap(({ name, type }) =>
    String(type) === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  ),
);

/** Names of ours in an expression that no scrape has. */
function unknown(expression: string): string[] {
  return (expression.match(/\binterlingua_\w+/g) ?? []).filter((name) => !NAMES.has(name));
}

/** The labels of a metric, which are not told by what it has counted so far. */
function labelsOf(name: string): readonly string[] {
  const metric: unknown = registry.getSingleMetric(name);
  const labels: unknown =
    typeof metric === 'object' && metric !== null && 'labelNames' in metric ? metric.labelNames : [];
  return Array.isArray(labels) ? labels : [];
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string };
}

const rules: readonly Rule[] = parse(read('deploy/alerts.yml')).groups.flatMap(
  (group: { rules: Rule[] }) => group.rules,
);

describe('what operators get', () => {
  test('six alert rules over metrics that exist, each with what to do about it', () => {
    expect(rules).toHaveLength(6);
    for (const { alert, expr, labels, annotations } of rules) {
      expect([alert, unknown(expr)]).toEqual([alert, []]);
      expect(labels.severity).toMatch(/^(?:critical|warning|info)$/);
      expect(annotations.summary).not.toBe('');
      expect(read('docs/operations.md')).toContain(`| \`${alert}\` |`);
    }
  });

  test('a dashboard over metrics that exist, with an id for each panel', () => {
    const { panels, uid } = JSON.parse(read('deploy/grafana/interlingua.json'));
    expect(uid).toBe('interlingua');
    expect(new Set(panels.map(({ id }: { id: number }) => id)).size).toBe(panels.length);
    const expressions = panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
      targets.map(({ expr }) => expr),
    );
    expect(expressions.length).toBeGreaterThanOrEqual(panels.length);
    expect(expressions.flatMap(unknown)).toEqual([]);
  });

  test('a reference of the metrics; UPDATE=1 writes it', () => {
    const rows = metrics.map(({ name, type, help }) => {
      const labels = labelsOf(name).map((label) => `\`${label}\``);
      return `| \`${name}\` | ${String(type)} | ${labels.join(', ')} | ${help} |`;
    });
    const table = ['| Metric | Type | Labels | Meaning |', '|---|---|---|---|', ...rows].join('\n');
    const page = read('docs/operations.md');
    const text = page.replace(
      /(<!-- metrics -->\n)[\s\S]*?(<!-- end of metrics -->)/,
      (_all, begin, end) => `${begin}${table}\n${end}`,
    );
    if (process.env.UPDATE === '1') writeFileSync(join(root, 'docs/operations.md'), text);
    else expect(page).toBe(text);
  });

  test('samples for Prometheus, Kubernetes and systemd that fit the gateway', () => {
    expect(parse(read('deploy/prometheus.yml')).rule_files).toEqual(['alerts.yml']);
    const documents = parseAllDocuments(read('deploy/kubernetes.yaml')).map((one) => one.toJS());
    expect(documents.map(({ kind }) => kind)).toEqual(['Deployment', 'Service']);
    const { spec } = documents[0].spec.template;
    const [{ readinessProbe, livenessProbe }] = spec.containers;
    expect([readinessProbe.httpGet.path, livenessProbe.httpGet.path]).toEqual(['/readyz', '/healthz']);
    const unit = read('deploy/interlingua.service');
    expect(unit).toMatch(/^ExecStart=.* interlingua serve --config /m);
    // Longer than `limits.drainSeconds`.
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(60);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(60);
    expect(Object.keys(parse(read('compose.yaml')).services)).toEqual(['gateway', 'redis', 'prometheus']);
  });
});
