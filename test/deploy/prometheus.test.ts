import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'vitest';
import { productionDatabase, startServe, startWork } from '../support/cadastre.ts';
import { freePort } from '../support/free-port.ts';
import { filesForThisTest, findPromtool, promtool } from '../support/promtool.ts';
import { expect, onTestFinished } from '../support/this-test.ts';
import { alertCases } from './alert-cases.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const RULES = 'deploy/prometheus/cadastre.rules.yml';
const page = read('docs/operate/metrics.md');
const TROUBLES = 'docs/operate/troubles';
const rules = read(RULES);
const severities = new Map(
  Array.from(rules.matchAll(/- alert: (\w+)\n[\s\S]*?severity: (\w+)/g), ([, name = '', severity = '']) => [
    name,
    severity,
  ]),
);
type Panel = {
  readonly id: number;
  readonly title: string;
  readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>;
  readonly targets?: readonly { readonly expr: string }[];
};
const dashboard = JSON.parse(read('deploy/grafana/cadastre.json')) as { readonly panels: readonly Panel[] };
/** With values in place of the variables of Grafana. */
const expressions = dashboard.panels
  .flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  .map((expr) => expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'));

/** A file with this alert alone, without its texts, which promtool would compare as well. */
function ruleOf(alertname: string): string {
  const [rule = ''] = new RegExp(`^ +- alert: ${alertname}\\n(?:(?! *- |#).*\\n)*`, 'm').exec(rules) ?? [];
  return `groups:\n  - name: ${alertname}\n    rules:\n${rule.replaceAll(/^ +(annotations:|summary: .*|runbook: .*)\n/gm, '')}`;
}

const namesIn = (text: string) =>
  new Set(
    Array.from(text.matchAll(/\b(?:cadastre|process|nodejs)_\w+/g), ([name]) =>
      name.replace(/(_seconds)_(bucket|count|sum)$/, '$1'),
    ),
  );

describe('alerts and their documentation', () => {
  test('success: each alert leads to the page of its trouble, which names it with its severity, and no other page does', () => {
    const runbooks = Array.from(rules.matchAll(/runbook: (\S+)/g), ([, where]) => where);
    const expected = [...severities].map(
      ([name, severity], index) => `${runbooks[index]}: ${name} ${severity}`,
    );
    const documented = readdirSync(path.join(ROOT, TROUBLES)).flatMap((file) => {
      const [, alerts = ''] = /^Alerts?: (.*)$/m.exec(read(`${TROUBLES}/${file}`)) ?? [];
      const named = alerts.matchAll(/`(\w+)` \((\w+)\)/g);
      return Array.from(named, ([, name, severity]) => `${TROUBLES}/${file}: ${name} ${severity}`);
    });
    expect(documented.toSorted()).toEqual(expected.toSorted());
  });

  test('success: each alert has a case that fires and one that is silent', () => {
    expect(Object.keys(alertCases).sort()).toEqual([...severities.keys()].sort());
  });

  test('success: rules and dashboard use metrics that are documented', () => {
    const documented = namesIn(page);
    const used = new Set([...namesIn(rules), ...expressions.flatMap((expr) => [...namesIn(expr)])]);
    const ours = [...used].filter((name) => name.startsWith('cadastre_'));
    expect(ours.length).toBeGreaterThan(30);
    expect(ours.filter((name) => !documented.has(name))).toEqual([]);
  });
});

describe('the dashboard', () => {
  const { panels } = dashboard;

  test('success: each panel has an id and a place of its own', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const fields = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, place) => `${x + (place % w)},${y + Math.floor(place / w)}`),
    );
    expect(new Set(fields).size).toBe(fields.length);
  });

  test('success: it shows every metric of webhooks', () => {
    const shown = new Set(expressions.flatMap((expr) => [...namesIn(expr)]));
    const ofWebhooks = [...namesIn(page)].filter((name) => name.startsWith('cadastre_webhook'));
    expect(ofWebhooks.length).toBeGreaterThan(3);
    expect(ofWebhooks.filter((name) => !shown.has(name))).toEqual([]);
  });
});

const found = findPromtool();
const reason = 'reason' in found ? found.reason : undefined;
if (reason) process.stderr.write(`The tests with promtool are skipped: ${reason}.\n`);

describe.skipIf(reason)('promtool', () => {
  const program = 'program' in found ? found.program : '';

  test('success: it accepts every line of the rules and of the configuration', async () => {
    const outcome = await promtool(program, [
      'check',
      'config',
      path.join(ROOT, 'deploy/prometheus/prometheus.yml'),
    ]);
    expect(outcome).toMatchObject({ code: 0 });
    expect(outcome.output).toContain(`SUCCESS: ${severities.size} rules found`);
  });

  test('success: every expression of the dashboard is valid', async () => {
    const recorded = expressions.map((expr, index) => ({ record: `panel:${index}`, expr }));
    const folder = filesForThisTest({
      'panels.yml': JSON.stringify({ groups: [{ name: 'panels', rules: recorded }] }),
    });
    expect(await promtool(program, ['check', 'rules', path.join(folder, 'panels.yml')])).toMatchObject({
      code: 0,
    });
  });

  test('success: every alert fires where it should, and is silent where it should be', async () => {
    // Each with its own rule alone: promtool evaluates all rules at every minute of every case.
    const files = Object.entries(alertCases).flatMap(([alertname, { at, fires, silent, labels = {} }]) => {
      const tests = [fires, silent].map((series) => ({
        name: `${alertname} ${series === fires ? 'fires' : 'is silent'}`,
        interval: '1m',
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        alert_rule_test: [
          {
            eval_time: at,
            alertname,
            exp_alerts:
              series === fires ? [{ exp_labels: { ...labels, severity: severities.get(alertname) } }] : [],
          },
        ],
      }));
      const rule_files = [`${alertname}.rules.yml`];
      return [
        [rule_files[0] ?? '', ruleOf(alertname)],
        [`${alertname}.yml`, JSON.stringify({ rule_files, evaluation_interval: '1m', tests })],
      ];
    });
    const folder = filesForThisTest(Object.fromEntries(files));
    const cases = Object.keys(alertCases).map((alertname) => path.join(folder, `${alertname}.yml`));
    const outcome = await promtool(program, ['test', 'rules', ...cases]);
    expect(outcome.output.match(/SUCCESS/g)).toHaveLength(cases.length);
    expect(outcome.code).toBe(0);
  });

  test('success: the metrics of serve and work are well-formed, and include all that rules and dashboard use', async () => {
    const { url } = await productionDatabase();
    const port = String(await freePort());
    const server = await startServe(url, { METRICS_PORT: port });
    const worker = await startWork(url);
    onTestFinished(async () => void (await Promise.all([server.stop(), worker.stop()])));
    const had = new Set<string>();
    for (const metricsUrl of [`http://127.0.0.1:${port}/metrics`, worker.metrics]) {
      const text = await (await fetch(metricsUrl)).text();
      for (const [, name = ''] of text.matchAll(/^# TYPE (\w+)/gm)) had.add(name);
      const { output } = await promtool(program, ['check', 'metrics'], text);
      const complaints = output.split('\n').filter((line) => line !== '');
      // prom-client calls three gauges of Node _total.
      expect(
        complaints.filter((line) => !/^nodejs_\w+_total non-counter metrics should not have/.test(line)),
      ).toEqual([]);
    }
    // They exist only with TLS at the server, and with several processes.
    for (const name of [
      'tls_certificate_expiry_timestamp_seconds',
      'epp_certificate_expiry_timestamp_seconds',
    ])
      had.add(`cadastre_${name}`);
    had.add('cadastre_process_restarts_total');
    const used = new Set([...namesIn(rules), ...expressions.flatMap((expr) => [...namesIn(expr)])]);
    expect([...used].filter((name) => !had.has(name))).toEqual([]);
  });
});
