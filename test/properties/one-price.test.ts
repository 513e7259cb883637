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
import { homeForThisTest, registrarCommand } from '../packages/registrar-cli/registrar-command.ts';
import { clientOf } from '../packages/sdk/clients.ts';
import { startFreshRegistry, type TestRegistry } from '../support/registry.ts';
import { seed } from '../support/seed.ts';
import { sql } from '../support/sql.ts';

const ZONES = ['ee', 'com.ee', 'med.ee'] as const;
const OPERATIONS = ['create', 'renew'] as const;
const PERIODS = [3, 12, 24] as const;
const RUNS = Number(process.env.FUZZ_RUNS ?? (process.env.TORTURE ? 300 : 10));
const LIMIT_MS = process.env.TORTURE ? 3_600_000 : 300_000;

type Operation = (typeof OPERATIONS)[number];
type Row = {
  readonly zone: (typeof ZONES)[number];
  readonly operation: Operation;
  readonly months: number;
  readonly cents: number;
  /** Days from today on. */
  readonly from: number;
  readonly days: number | undefined;
};
/** What each question is answered, such as `{'ee create 12': '9.00'}`; what has no price is missing. */
type Answers = Readonly<Record<string, string>>;

let registry: TestRegistry;
let client: Client;
let owner: Registrant;
/** One in each zone. */
let domains: readonly string[];
let epp: EppClient;
let person: ConsoleClient;
let today: string;
beforeAll(async () => {
  registry = await startFreshRegistry({ eppPort: 0 });
  client = alpha(registry.url);
  owner = await Registrant.of(client);
  domains = await Promise.all(ZONES.map((zone) => owner.register({ name: freshName(zone) })));
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

const keyOf = (zone: string, operation: string, months: number) => `${zone} ${operation} ${months}`;
const monthsOf = (period: number, unit: string) => (unit === 'y' ? period * 12 : period);
const periodOf = (months: number) =>
  months % 12 === 0 ? { period: months / 12, period_unit: 'y' } : { period: months, period_unit: 'm' };
const OF_ZONE = OPERATIONS.flatMap((operation) => PERIODS.map((months) => ({ operation, months })));
const QUESTIONS = ZONES.flatMap((zone, index) =>
  OF_ZONE.map((question) => ({ zone, domain: () => domains[index] ?? '', ...question })),
);
const answersOf = (entries: readonly (readonly [string, string | undefined])[]): Answers =>
  Object.fromEntries(entries.flatMap(([key, price]) => (price === undefined ? [] : [[key, price]])));

/** Of the rows that are valid today, the one that began last. */
function expected(rows: readonly Row[]): Answers {
  return answersOf(
    QUESTIONS.map(({ zone, operation, months }) => {
      const valid = rows
        .filter((row) => row.zone === zone && row.operation === operation && row.months === months)
        .filter(({ from, days }) => from <= 0 && (days === undefined || from + days > 0))
        .toSorted((one, other) => other.from - one.from);
      return [keyOf(zone, operation, months), valid[0] && toDecimal(BigInt(valid[0].cents))];
    }),
  );
}

async function store(rows: readonly Row[]): Promise<void> {
  await registry.sql.run(sql`delete from prices where zone = any(${[...ZONES]})`);
  for (const { zone, operation, months, cents, from, days } of rows)
    await registry.sql.run(sql`
      insert into prices (zone, operation, months, amount, currency, valid_from, valid_until)
      values (${zone}, ${operation}, ${months}, ${cents}, 'EUR', ${dayLater(today, from)}::date,
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
const priced = (prices: readonly Price[], { isToday = false } = {}): Answers =>
  answersOf(
    prices
      .filter(({ zone }) => ZONES.some((each) => each === zone))
      .filter((each) => isToday || (each.valid_from <= today && (each.valid_until ?? '9999') > today))
      .map((each) => [keyOf(each.zone, each.operation, monthsOf(each.period, each.period_unit)), each.price]),
  );
type Checked = { readonly name: string; readonly prices: readonly object[] };
const pricedNames = (checked: readonly Checked[]): Answers =>
  priced(
    checked.flatMap(({ name, prices }) =>
      prices.map((price) => ({ ...price, zone: name.slice(name.indexOf('.') + 1) }) as Price),
    ),
    { isToday: true },
  );
const DRY = { headers: { 'dry-run': 'true' } };
/** Asks all questions, one after another. */
async function eachAsked(
  ask: (question: (typeof QUESTIONS)[number]) => Promise<string | undefined>,
): Promise<Answers> {
  const entries: [string, string | undefined][] = [];
  for (const question of QUESTIONS)
    entries.push([keyOf(question.zone, question.operation, question.months), await ask(question)]);
  return answersOf(entries);
}

const INTERFACES: Readonly<Record<string, () => Promise<Answers>>> = {
  'the list of prices': async () => priced((await client.get('/prices')).body.data.prices),

  'the check of names': async () =>
    pricedNames((await client.post('/domains/check', { domains })).body.data.domains),

  async 'the client'() {
    const registrar = clientOf(registry.url);
    const listed = priced((await registrar.billing.prices()).data.prices);
    expect(pricedNames((await registrar.domains.checkMany([...domains])).data.domains)).toEqual(listed);
    return listed;
  },

  async 'the command of registrars'() {
    const variables = {
      CADASTRE_URL: registry.url,
      CADASTRE_USERNAME: 'alpha',
      CADASTRE_PASSWORD: 'alpha-sandbox-password',
    };
    const { out } = await registrarCommand(homeForThisTest(), ['prices', '--json'], { variables });
    return priced(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Price),
    );
  },

  async 'dry runs'() {
    return eachAsked(async ({ zone, domain, operation, months }) => {
      const period = periodOf(months);
      if (operation === 'create') {
        const { body } = await owner.try({ name: freshName(zone), ...period }, DRY.headers);
        return body.data.dry_run?.price;
      }
      const expiry: string = (await client.get(`/domains/${domain()}`)).body.data.domain.expire_time;
      const renews = { ...period, exp_date: expiry.slice(0, 10) };
      const { body } = await client.post(`/domains/${domain()}/renew`, { renews }, DRY);
      return body.data.dry_run?.price;
    });
  },

  async 'prices that are agreed to'() {
    // What would be charged is in the refusal of another price.
    return eachAsked(async ({ zone, domain, operation, months }) => {
      const period = { ...periodOf(months), expected_price: '0.00' };
      const expiry: string = (await client.get(`/domains/${domain()}`)).body.data.domain.expire_time;
      const { body } =
        operation === 'create'
          ? await owner.try({ name: freshName(zone), ...period })
          : await client.post(`/domains/${domain()}/renew`, {
              renews: { ...period, exp_date: expiry.slice(0, 10) },
            });
      return (body.errors?.[0] as { readonly price?: string } | undefined)?.price;
    });
  },

  async 'the fee extension of EPP'() {
    const commands = OF_ZONE.map(({ operation, months }) => {
      const { period, period_unit: unit } = periodOf(months);
      return { name: operation, period: `${period}${unit}` };
    });
    const answer = await epp.command(objectCommands('ee').domain.check(...domains), fee.check(commands));
    // What has no price has a reason in place of its fee.
    const found = answer.all('command');
    expect(found).toHaveLength(QUESTIONS.length);
    return answersOf(
      QUESTIONS.map(({ zone, operation, months }, index) => [
        keyOf(zone, operation, months),
        found[index]?.children.find(({ name }) => name === 'fee')?.text,
      ]),
    );
  },
};

/** What a renewal of one domain in each zone costs; undefined if one of them has no price. */
async function byBulkRenewal(months: number): Promise<string | undefined> {
  const { period, period_unit: unit } = periodOf(months);
  const body = { domains, renew_period: `${period}${unit}` };
  return (await client.post('/domains/renew/bulk', body, DRY)).body.data.dry_run?.price;
}
function totalOf(answers: Answers, months: number): string | undefined {
  const prices = ZONES.map((zone) => answers[keyOf(zone, 'renew', months)]);
  if (prices.includes(undefined)) return undefined;
  return toDecimal(prices.reduce((sum, price = '0.00') => sum + BigInt(price.replace('.', '')), 0n));
}

const inConsole = (): Promise<(string | undefined)[]> =>
  Promise.all(
    domains.map(async (domain) => {
      const { text } = await person.get(`/console/domains/${domain}`);
      return /€([\d,]+\.\d\d), as of today/.exec(text)?.[1]?.replaceAll(',', '');
    }),
  );

/** What the list of the operators' command has in force today. */
async function byCommand(): Promise<Answers> {
  const env = { DATABASE_URL: databaseUrl(registry.databaseName) };
  const { stdout } = await cadastre(['price', 'list', '--json'], { env });
  const rows = JSON.parse(stdout) as {
    zone: string;
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
      .filter(({ zone }) => ZONES.some((each) => each === zone))
      .map(({ zone, operation, period, price }) => [
        keyOf(zone, operation, monthsOf(Number.parseInt(period, 10), period.slice(-1))),
        price,
      ]),
  );
}

const rows = fc.uniqueArray(
  fc.record({
    zone: fc.constantFrom(...ZONES),
    operation: fc.constantFrom(...OPERATIONS),
    months: fc.constantFrom(...PERIODS),
    cents: fc.integer({ min: 1, max: 30_000 }),
    from: fc.integer({ min: -5, max: 3 }),
    days: fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined }),
  }),
  {
    minLength: 12,
    maxLength: 40,
    selector: ({ zone, operation, months, from }) => `${keyOf(zone, operation, months)} ${from}`,
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
      expect(await inConsole()).toEqual(ZONES.map((zone) => right[keyOf(zone, 'renew', 12)]));
      for (const months of PERIODS) expect(await byBulkRenewal(months)).toBe(totalOf(right, months));
    });
    await fc.assert(property, { seed, numRuns: RUNS });
  });
});
