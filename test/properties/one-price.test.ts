import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayIn } from '../../src/platform/values/dates.ts';
import { toDecimal } from '../../src/platform/values/money.ts';
import { ee } from '../../src/policy/ee.ts';
import { dayLater } from '../../src/registry/domains/rules/periods.ts';
import { cadastre, databaseUrl } from '../support/cadastre.ts';
import { alpha, type Client } from '../support/client.ts';
import { type ConsoleClient, loggedIn } from '../support/console.ts';
import { freshName, Registrant } from '../support/domains.ts';
import type { EppClient } from '../support/epp.ts';
import { fee } from '../support/epp-frames.ts';
import { objectCommands } from '../support/epp-objects.ts';
import { eppAddressOf, logInToEpp } from '../support/epp-sandbox.ts';
import { startFreshRegistry, type TestRegistry } from '../support/registry.ts';
import { seed } from '../support/seed.ts';
import { sql } from '../support/sql.ts';

/** The only zone whose prices change. */
const ZONE = 'med.ee';
const OPERATIONS = ['create', 'renew'] as const;
const PERIODS = [3, 12, 24] as const;
const RUNS = Number(process.env.FUZZ_RUNS ?? (process.env.TORTURE ? 300 : 10));
const LIMIT_MS = process.env.TORTURE ? 3_600_000 : 300_000;

type Operation = (typeof OPERATIONS)[number];
type Row = {
  readonly operation: Operation;
  readonly months: number;
  readonly cents: number;
  /** Days from today on. */
  readonly from: number;
  readonly days: number | undefined;
};
/** What each question is answered, such as `{'create 12': '9.00'}`; what has no price is missing. */
type Answers = Readonly<Record<string, string>>;

let registry: TestRegistry;
let client: Client;
let owner: Registrant;
let domain: string;
let epp: EppClient;
let person: ConsoleClient;
let today: string;
beforeAll(async () => {
  registry = await startFreshRegistry({ eppPort: 0 });
  client = alpha(registry.url);
  owner = await Registrant.of(client);
  domain = await owner.register({ name: freshName(ZONE) });
  epp = await logInToEpp(await eppAddressOf(registry.url), 'alpha');
  person = await loggedIn(registry.url);
  const clock = await fetch(`${registry.url}/sandbox/clock`);
  const { now } = (await clock.json()) as { now: string };
  today = dayIn(ee.timeZone, new Date(now)).toString();
});
afterAll(async () => {
  await epp.close();
  await registry.stop();
});

const keyOf = (operation: string, months: number) => `${operation} ${months}`;
const monthsOf = (period: number, unit: string) => (unit === 'y' ? period * 12 : period);
const periodOf = (months: number) =>
  months % 12 === 0 ? { period: months / 12, period_unit: 'y' } : { period: months, period_unit: 'm' };
const QUESTIONS = OPERATIONS.flatMap((operation) => PERIODS.map((months) => ({ operation, months })));
const answersOf = (entries: readonly (readonly [string, string | undefined])[]): Answers =>
  Object.fromEntries(entries.flatMap(([key, price]) => (price === undefined ? [] : [[key, price]])));

/** Of the rows that are valid today, the one that began last. */
function expected(rows: readonly Row[]): Answers {
  return answersOf(
    QUESTIONS.map(({ operation, months }) => {
      const valid = rows
        .filter((row) => row.operation === operation && row.months === months)
        .filter(({ from, days }) => from <= 0 && (days === undefined || from + days > 0))
        .toSorted((one, other) => other.from - one.from);
      return [keyOf(operation, months), valid[0] && toDecimal(BigInt(valid[0].cents))];
    }),
  );
}

async function store(rows: readonly Row[]): Promise<void> {
  await registry.sql.run(sql`delete from prices where zone = ${ZONE}`);
  for (const { operation, months, cents, from, days } of rows)
    await registry.sql.run(sql`
      insert into prices (zone, operation, months, amount, currency, valid_from, valid_until)
      values (${ZONE}, ${operation}, ${months}, ${cents}, 'EUR', ${dayLater(today, from)}::date,
        ${days === undefined ? null : dayLater(today, from + days)}::date)`);
}

type Price = {
  readonly zone: string;
  readonly operation: string;
  readonly period: number;
  readonly period_unit: string;
  readonly price: string;
  readonly valid_from: string;
  readonly valid_until: string | null;
};
const priced = (prices: readonly Price[]): Answers =>
  answersOf(
    prices.map((each) => [keyOf(each.operation, monthsOf(each.period, each.period_unit)), each.price]),
  );

const INTERFACES: Readonly<Record<string, () => Promise<Answers>>> = {
  async 'the list of prices'() {
    const prices: Price[] = (await client.get('/prices')).body.data.prices;
    return priced(
      prices.filter(
        (each) =>
          each.zone === ZONE &&
          each.valid_from <= today &&
          (each.valid_until === null || each.valid_until > today),
      ),
    );
  },

  async 'the check of names'() {
    const { body } = await client.post('/domains/check', { domains: [domain] });
    return priced(body.data.domains[0].prices);
  },

  async 'dry runs'() {
    const expiry: string = (await client.get(`/domains/${domain}`)).body.data.domain.expire_time;
    const dry = { headers: { 'dry-run': 'true' } };
    const ask = async (operation: Operation, months: number) => {
      const period = periodOf(months);
      const { body } =
        operation === 'create'
          ? await owner.try({ name: freshName(ZONE), ...period }, dry.headers)
          : await client.post(
              `/domains/${domain}/renew`,
              { renews: { ...period, exp_date: expiry.slice(0, 10) } },
              dry,
            );
      return [keyOf(operation, months), body.data.dry_run?.price] as const;
    };
    return answersOf(await Promise.all(QUESTIONS.map(({ operation, months }) => ask(operation, months))));
  },

  async 'the fee extension of EPP'() {
    const commands = QUESTIONS.map(({ operation, months }) => {
      const { period, period_unit: unit } = periodOf(months);
      return { name: operation, period: `${period}${unit}` };
    });
    const answer = await epp.command(objectCommands('ee').domain.check(domain), fee.check(commands));
    // What has no price has a reason in place of its fee.
    const found = answer.all('command');
    return answersOf(
      found.map((command, index) => [
        keyOf(QUESTIONS[index]?.operation ?? '', QUESTIONS[index]?.months ?? 0),
        command.children.find(({ name }) => name === 'fee')?.text,
      ]),
    );
  },
};

const yearly = ({ 'renew 12': price }: Answers): string | undefined => price;

async function inConsole(): Promise<string | undefined> {
  const { text } = await person.get(`/console/domains/${domain}`);
  return /(\d+\.\d\d) EUR, as of today/.exec(text)?.[1];
}

/** What the list of the operators' command has in force today. */
async function byCommand(): Promise<Answers> {
  const env = { DATABASE_URL: databaseUrl(registry.databaseName) };
  const { stdout } = await cadastre(['price', 'list', '--zone', ZONE, '--json'], { env });
  const rows = JSON.parse(stdout) as {
    operation: string;
    period: string;
    price: string;
    validFrom: string;
    validUntil: string | null;
  }[];
  const running = rows.filter(
    ({ validFrom, validUntil }) => validFrom <= today && (validUntil === null || validUntil > today),
  );
  return answersOf(
    running
      .toSorted((one, other) => one.validFrom.localeCompare(other.validFrom))
      .map(({ operation, period, price }) => [
        keyOf(operation, monthsOf(Number.parseInt(period, 10), period.slice(-1))),
        price,
      ]),
  );
}

const rows = fc.uniqueArray(
  fc.record({
    operation: fc.constantFrom(...OPERATIONS),
    months: fc.constantFrom(...PERIODS),
    cents: fc.integer({ min: 1, max: 30_000 }),
    from: fc.integer({ min: -5, max: 3 }),
    days: fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined }),
  }),
  {
    minLength: 4,
    maxLength: 20,
    selector: ({ operation, months, from }) => `${keyOf(operation, months)} ${from}`,
  },
);

describe(`one price, FUZZ_SEED=${seed}`, { timeout: LIMIT_MS }, () => {
  test('success: whatever prices there are, every interface has the same one for the same question', async () => {
    const property = fc.asyncProperty(rows, async (prices) => {
      await store(prices);
      const right = expected(prices);
      for (const [name, ask] of Object.entries(INTERFACES))
        expect([name, await ask()]).toEqual([name, right]);
      expect(await byCommand()).toEqual(right);
      expect(await inConsole()).toBe(yearly(right));
    });
    await fc.assert(property, { seed, numRuns: RUNS });
  });
});
