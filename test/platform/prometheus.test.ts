import * as client from 'prom-client';
import { expect, test } from 'vitest';
import { collectDefaultMetrics, Registry } from '../../src/platform/prometheus.ts';

test('success: the metrics of the process are those of the package, of the same types and with the same texts', async () => {
  const [own, original] = [new Registry(), new client.Registry()];
  collectDefaultMetrics(own);
  client.collectDefaultMetrics({ register: original });
  const described = async (registry: client.Registry) =>
    (await registry.getMetricsAsJSON()).map(({ name, type, help }) => ({ name, type, help }));
  expect(await described(own)).toEqual(await described(original));
});

test('success: the processor time is that of the process', async () => {
  const registry = new Registry();
  collectDefaultMetrics(registry);
  const seconds = async (name: string) =>
    (await registry.getSingleMetric(name)?.get())?.values[0]?.value ?? 0;
  const before = process.cpuUsage();
  const [user, system, total] = [
    await seconds('process_cpu_user_seconds_total'),
    await seconds('process_cpu_system_seconds_total'),
    await seconds('process_cpu_seconds_total'),
  ];
  const after = process.cpuUsage();
  expect(user).toBeGreaterThanOrEqual(before.user / 1e6);
  expect(system).toBeGreaterThanOrEqual(before.system / 1e6);
  expect(total).toBeGreaterThanOrEqual(user + system);
  expect(total).toBeLessThanOrEqual((after.user + after.system) / 1e6);
});
