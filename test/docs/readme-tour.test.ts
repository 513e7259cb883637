import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SandboxProcess, startSandboxProcess } from '../support/sandbox-process.ts';
import { type Block, blocksOf, ROOT, readPage } from './markdown.ts';

/**
 * Pages whose `sh` blocks are run as a reader would paste them: in their order, through bash, against a real
 * sandbox that is fresh at the top of each page, unless the page goes on where the one before it ends. The block after
 * a command is what it answers. A command that must not be run is marked `sh no-run`. The numbers ensure that no
 * command is dropped unnoticed.
 */
const pages: readonly Page[] = [
  { page: 'README.md', commands: 11, notRun: 1 },
  { page: 'docs/integrate/rest.md', commands: 3, notRun: 0 },
  { page: 'docs/integrate/contacts.md', commands: 5, notRun: 0 },
  { page: 'docs/integrate/domains.md', commands: 6, notRun: 0, goesOn: true },
  { page: 'docs/integrate/domain-changes.md', commands: 11, notRun: 0, goesOn: true },
  { page: 'docs/integrate/transfers.md', commands: 8, notRun: 0, goesOn: true },
  { page: 'docs/integrate/money.md', commands: 6, notRun: 0, goesOn: true },
  // The clock of the page is moved by years, and so what the feed of 30 days begins with depends on a job.
  { page: 'docs/integrate/messages.md', commands: 3, notRun: 1, goesOn: true },
  { page: 'docs/integrate/billing.md', commands: 23, notRun: 0 },
  { page: 'docs/integrate/reservation-api.md', commands: 10, notRun: 0 },
  { page: 'docs/integrate/rdap.md', commands: 5, notRun: 0 },
  { page: 'docs/integrate/retrying.md', commands: 7, notRun: 0 },
  { page: 'docs/integrate/from-the-incumbent.md', commands: 9, notRun: 0 },
];

/** Given by the page itself, so it is the same in every run. */
const IMPORTED_REFERENCE = '7734230';

type Page = {
  readonly page: string;
  readonly commands: number;
  readonly notRun: number;
  readonly goesOn?: true;
};

type Step = { readonly command: Block; readonly answer: Block | undefined };

let sandbox: SandboxProcess;
beforeAll(async () => {
  sandbox = await startSandboxProcess();
});
afterAll(() => sandbox?.stop());

describe.each(pages)('the commands of $page', ({ page, commands, notRun, goesOn }) => {
  const { run, passedOver } = stepsOf(page);

  test('success: their number is as expected, and each shows its answer', () => {
    expect([run.length, passedOver]).toEqual([commands, notRun]);
    for (const { command, answer } of run) {
      expect(answer?.language, `after line ${command.line}`).toMatch(/^(json|text)$/);
      expect(answer?.line, `after line ${command.line}`).toBe(lineAfter(command) + 1);
    }
  });

  // The steps build on each other, so they are one test.
  test('success: every command exits 0 and answers what the page shows', { timeout: 120_000 }, async () => {
    if (!goesOn) await fetch(`${sandbox.url}/sandbox/reset`, { method: 'POST' });
    for (const { command, answer } of run) {
      const printed = await paste(command.text);
      expect(comparable(printed, answer), `${page}, line ${command.line}`).toEqual(
        comparable(answer?.text ?? '', answer),
      );
    }
    expect.assertions(2 * commands);
  });
});

describe('the comparison', () => {
  test('failure: an answer that differs in more than the variable values is detected', () => {
    const json = (text: string) => comparable(text, { language: 'json' });
    const contact = '{"code":"ALPHA:5f3a0c1e","auth_info":"0c5a7d2f9be14b6f8a3d11","phone":"+372.1"}';
    expect(json(contact.replace('5f3a0c1e', '00000000'))).toEqual(json(contact));
    expect(json(contact.replace('+372.1', '+372.2'))).not.toEqual(json(contact));
    expect(json(contact.replace('ALPHA', 'BETA'))).not.toEqual(json(contact));
    const domain =
      '{"created_at":"2030-01-15T12:00:02.374+02:00","expire_time":"2031-01-16T00:00:00.000+02:00","transfer_code":"1f0c5a7d2f9be14b6f8a3d11c0ffee42"}';
    expect(json(domain.replace('12:00:02.374', '12:00:07.001'))).toEqual(json(domain));
    expect(json(domain.replace('c0ffee42', '00000000'))).toEqual(json(domain));
    expect(json(domain.replace('2031-01-16', '2031-01-15'))).not.toEqual(json(domain));
    expect(json(domain.replace('1f0c5a7d2f9be14b6f8a3d11c0ffee42', 'chosen-by-us'))).not.toEqual(
      json(domain),
    );
    const paid = `{"id":"0b6d2c1e-8a3f-4f57-9a41-6f0c2f4f7a10","payment_reference":"${'0f'.repeat(32)}","state":"settled"}`;
    expect(json(paid.replace('0b6d2c1e', '00000000').replace('0f0f', 'beef'))).toEqual(json(paid));
    expect(json(paid.replace('settled', 'failed'))).not.toEqual(json(paid));
    expect(json(paid.replace('0f', ''))).not.toEqual(json(paid));
    const link = (service: string, reference: string) =>
      `{"link":"/lp?custom_field_2=${service}&order_reference=150005&reference_number=${reference}&transaction_amount=20.00&hmac=${'0f'.repeat(32)}","reference_number":"${reference}"}`;
    const [own, others] = [link('registry', '5467211'), link('auction', IMPORTED_REFERENCE)];
    expect(json(own.replaceAll('5467211', '2144032').replace('hmac=0f', 'hmac=00'))).toEqual(json(own));
    expect(json(own.replace('20.00', '25.00'))).not.toEqual(json(own));
    expect(json(others.replace('hmac=0f', 'hmac=00'))).not.toEqual(json(others));
    expect(json(others.replaceAll(IMPORTED_REFERENCE, '2144032'))).not.toEqual(json(others));
  });
});

function stepsOf(page: string): { run: Step[]; passedOver: number } {
  const blocks = blocksOf(readPage(page));
  const shell = blocks.filter(({ language }) => language === 'sh');
  const run = shell.filter(({ marks }) => !marks.includes('no-run'));
  return {
    run: run.map((command) => ({ command, answer: blocks[blocks.indexOf(command) + 1] })),
    passedOver: shell.length - run.length,
  };
}

/** The line below the closing fence. */
const lineAfter = ({ line, text }: Block): number => line + text.split('\n').length + 2;

/** What a reader's shell prints; a command that fails, also in the middle of a pipe, fails the test. */
async function paste(command: string): Promise<string> {
  const text = command.replaceAll('http://127.0.0.1:8080', sandbox.url);
  const env = { PATH: process.env.PATH, CADASTRE_HOME: sandbox.home };
  const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-eo', 'pipefail', '-c', text], {
    cwd: ROOT,
    env,
  });
  expect(stderr).toBe('');
  return stdout.replaceAll(sandbox.url, 'http://127.0.0.1:8080');
}

/**
 * What two answers must have in common. Left out is what differs from one run to the next: moments, random
 * contact codes, auth_info, transfer and registration codes, ids, references of payments, and a registrar's reference
 * number and the id of a reservation with the signature of the link that they are part of; and, in texts, how lines
 * end. Pages set the sandbox's clock to a day, so days are compared; and so is a midnight, because that is when domains
 * expire. A signature is compared where everything that is signed is on the page.
 */
function comparable(text: string, answer: Pick<Block, 'language'> | undefined): unknown {
  const steady = text
    .replace(
      /\d{4}-\d{2}-\d{2}T(?!00:00:00\.000\+)\d{2}:\d{2}:\d{2}\.\d{3}(?:Z|[+-]\d{2}:\d{2})/g,
      '(moment)',
    )
    .replace(/\b([A-Z]+):[0-9a-f]{8}\b/g, '$1:(random)')
    .replace(/("auth_info"\s*:\s*)"[0-9a-f]{22}"/g, '$1"(random)"')
    .replace(/("transfer_code"\s*:\s*)"[0-9a-f]{32}"/g, '$1"(random)"')
    .replace(/("password"\s*:\s*)"[0-9a-f]{32}"/g, '$1"(random)"')
    .replace(/("user_unique_id"\s*:\s*)"[\w-]{10}"/g, '$1"(random)"')
    .replace(
      /custom_field_1=[\w-]{10}(&custom_field_2=business_registry&\S*&reference_number=)\d{10}(&\S*&hmac=)[0-9a-f]{64}/g,
      'custom_field_1=(random)$1(random)$2(random)',
    )
    .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '(id)')
    .replace(
      /(custom_field_2=registry&\S*&reference_number=)\d{7}(&\S*&hmac=)[0-9a-f]{64}/g,
      '$1(random)$2(random)',
    )
    .replace(
      new RegExp(`("reference_number"\\s*:\\s*)"(?!${IMPORTED_REFERENCE})\\d{7}(?:\\d{3})?"`, 'g'),
      '$1"(random)"',
    )
    .replace(/(?<!hmac=)\b[0-9a-f]{64}\b/g, '(reference)');
  if (answer?.language === 'json') return JSON.parse(steady);
  return steady
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
}
