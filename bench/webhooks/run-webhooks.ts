import { machineFacts } from '../machine.ts';
import type { Bar } from '../progress.ts';
import { disturbance, machineLine, missesOf, write, writeJson } from '../report.ts';
import { aligned, asMarkdown, fixed, type Table } from '../tables.ts';
import type { Figure } from '../work.ts';
import { FAILING_PER_REGISTRAR } from './receivers.ts';
import { CHANGES_PER_SECOND, ENDPOINTS_PER_REGISTRAR, REGISTRARS } from './webhook-load.ts';
import { measureWebhooks } from './webhooks.ts';

const PER_SECOND = CHANGES_PER_SECOND * ENDPOINTS_PER_REGISTRAR;
const ENDPOINTS = REGISTRARS * ENDPOINTS_PER_REGISTRAR;

/** How soon registrars have their events although some endpoints fail, and what is not as it must be. */
export async function runWebhooks(seconds: number, bar: Bar): Promise<readonly string[]> {
  const { figures, elsewhere } = await measureWebhooks(seconds, bar);
  const table = tableOf(figures);
  console.log(aligned(table));
  const missed = missesOf(figures);
  const disturbed = disturbance([{ elsewhere }]);
  write(
    'webhooks.md',
    `${[
      '# Webhooks',
      'Made by `npm run bench -- --webhooks`; [bench/notes/webhooks.md](notes/webhooks.md) tells how to read it.',
      `${machineLine()}; ${PER_SECOND} deliveries a second for ${seconds} s to ${ENDPOINTS} endpoints, of which ${REGISTRARS} hang and ${REGISTRARS * (FAILING_PER_REGISTRAR - 1)} refuse.`,
      ...(disturbed === undefined ? [] : [disturbed]),
      asMarkdown(table),
      missed.length === 0
        ? 'Every target is met.'
        : `What is not as it must be:\n\n${missed.map((line) => `- ${line}`).join('\n')}`,
    ].join('\n\n')}\n`,
  );
  const setting = { seconds, perSecond: PER_SECOND, endpoints: ENDPOINTS };
  writeJson('webhooks.json', { machine: machineFacts(), setting, elsewhere, figures });
  return missed;
}

const tableOf = (figures: readonly Figure[]): Table => [
  ['work', 'figure', 'measured', 'at most'],
  ...figures.map(({ work, what, value, most }) => [work, what, fixed(value, 1), String(most)]),
];
