import { codeOf } from '../../src/platform/database/database-errors.ts';
import type { Pool, Sql } from '../../src/platform/sql/executor.ts';
import { ee } from '../../src/policy/ee.ts';
import { delegationSigner } from '../../src/registry/domains/rules/dnssec-keys.ts';
import { parseIdn } from '../../src/registry/names/name.ts';
import { writeZone } from '../../src/registry/zones/write-zone.ts';
import { readChanges } from '../../src/registry/zones/zone-history.ts';
import { type ZoneRecord, zoneFileLine } from '../../src/registry/zones/zone-record.ts';
import { streamZone } from '../../src/registry/zones/zone-store.ts';
import { sql } from './sql.ts';
import { setStatuses } from './statuses.ts';

export const zoneOf = (origin: string) => {
  const zone = ee.zones.find((one) => one.origin === origin);
  if (!zone) throw new Error(`there is no zone ${origin}`);
  return zone;
};

/** All lines of a zone but its start of authority. */
export async function linesOf(pool: Pool, zone: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const page of streamZone(pool, zone)) lines.push(...page.map(zoneFileLine));
  return lines.slice(1);
}

/** Publishes until nothing is marked. */
export async function publish(pool: Pool, zone: string): Promise<void> {
  while ((await writeZone(pool, zoneOf(zone), ee, new Date())).marks > 0);
}

/** A secondary that knows the zone of one serial and applies the changes since; fails where they do not fit. */
export class Replay {
  readonly #lines: Set<string>;
  serial: number;

  private constructor(lines: readonly string[], serial: number) {
    this.#lines = new Set(lines);
    this.serial = serial;
  }

  static async of(pool: Pool, zone: string): Promise<Replay> {
    const lines: string[] = [];
    let serial = -1;
    for await (const page of streamZone(pool, zone))
      for (const record of page)
        if (record.type === 'SOA') serial = record.data.serial;
        else lines.push(zoneFileLine(record));
    return new Replay(lines, serial);
  }

  get lines(): string[] {
    return [...this.#lines].toSorted();
  }

  async follow(db: Sql, zone: string): Promise<number> {
    const history = await readChanges(db, zone, this.serial);
    if (!history) throw new Error(`the changes since ${this.serial} are unknown`);
    let steps = 0;
    for await (const { soaBefore, soaAfter, removed, added } of history.steps) {
      if (soaBefore.data.serial !== this.serial) throw new Error(`a step does not follow ${this.serial}`);
      for await (const page of removed)
        for (const record of page) this.#apply(record, (line) => this.#lines.delete(line), 'removed');
      for await (const page of added)
        for (const record of page)
          this.#apply(record, (line) => !this.#lines.has(line) && !!this.#lines.add(line), 'added');
      this.serial = soaAfter.data.serial;
      steps += 1;
    }
    if (this.serial !== history.soa.data.serial) throw new Error(`the steps end with ${this.serial}`);
    return steps;
  }

  #apply(record: ZoneRecord, act: (line: string) => boolean, what: string): void {
    if (!act(zoneFileLine(record))) throw new Error(`${zoneFileLine(record)} was ${what} twice`);
  }
}

/** A foreign key, a unique one, a deadlock. */
const LOST_RACES = ['23503', '23505', '40P01'];
export const PUBLIC_KEYS = [
  'GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==',
  'l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=',
];

/** Writes domains by SQL: what marks them is in the database, for every writer. */
export class DomainTables {
  readonly #db: Sql;
  #registrant = 0;

  constructor(db: Sql) {
    this.#db = db;
  }

  async create(name: string, hostnames: readonly string[], statuses: object = {}): Promise<void> {
    const registrant = await this.#registrantId();
    await this.#db.run(sql`
      with added as (
        insert into domains (name, zone, registrar_id, registrant_id, transfer_code, created_at, updated_at, expire_time, statuses)
        select ${name}, ${name.slice(name.indexOf('.') + 1)}, registrar_id, id, 'the-transfer-code', now(), now(), now() + interval '1 year',
          ${JSON.stringify(statuses)}::jsonb from contacts where id = ${registrant}
        on conflict (name) do nothing returning id)
      insert into domain_nameservers (domain_id, hostname, ipv4) select id, hostname, array['192.0.2.1'] from added, unnest(${[...hostnames]}::text[]) as hostname`);
  }

  async remove(name: string): Promise<void> {
    await this.#db.run(sql`delete from domains where name = ${name}`);
  }

  async setStatuses(name: string, statuses: object): Promise<void> {
    await setStatuses(this.#db, name, statuses);
  }

  async renew(name: string): Promise<void> {
    await this.#db.run(
      sql`update domains set expire_time = expire_time + interval '1 year', statuses = statuses || '{"serverRenewProhibited": ""}' where name = ${name}`,
    );
  }

  async replaceHosts(name: string, hostnames: readonly string[]): Promise<void> {
    await this.#db.run(sql`
      with d as (select id from domains where name = ${name}),
      gone as (delete from domain_nameservers n using d where n.domain_id = d.id and not n.hostname = any(${[...hostnames]}::text[]))
      insert into domain_nameservers (domain_id, hostname) select d.id, hostname from d, unnest(${[...hostnames]}::text[]) as hostname
      on conflict (domain_id, hostname) do nothing`);
  }

  /** As persisting does it: the row of the one becomes that of the other, with the next id. */
  async exchangeHost(name: string, gone: string, next: string): Promise<void> {
    await this.#db.run(sql`
      update domain_nameservers n set id = default, hostname = ${next} from domains d
      where d.name = ${name} and n.domain_id = d.id and n.hostname = ${gone}`);
  }

  async setAddress(name: string, address: string): Promise<void> {
    const family = sql`${address.includes(':') ? sql`ipv6` : sql`ipv4`}`;
    await this.#db.run(sql`
      update domain_nameservers n set ${family} = array[${address}] from domains d where d.name = ${name} and n.domain_id = d.id`);
  }

  async setKey(name: string, flags: number, index = 0): Promise<void> {
    const publicKey = PUBLIC_KEYS[index % PUBLIC_KEYS.length] ?? '';
    const ds = delegationSigner({ flags, protocol: 3, alg: 13, publicKey }, parseIdn(name)?.ascii ?? name);
    await this.#db.run(sql`
      insert into domain_keys (domain_id, flags, protocol, alg, public_key, key_tag, digest_type, digest)
      select id, ${flags}::int, 3, 13, ${publicKey}, ${ds.keyTag}::int, ${ds.digestType}::int, ${ds.digest} from domains where name = ${name}
      on conflict (domain_id, public_key) do update set flags = excluded.flags, key_tag = excluded.key_tag, digest = excluded.digest`);
  }

  async removeKeys(name: string): Promise<void> {
    await this.#db.run(
      sql`delete from domain_keys k using domains d where d.name = ${name} and k.domain_id = d.id`,
    );
  }

  /** One random change of one of the names; nothing where somebody else changes it at the same moment. */
  async change(names: readonly string[], random: () => number): Promise<void> {
    await this.#change(names, random).catch((error: unknown) => {
      if (!LOST_RACES.includes(codeOf(error) ?? '')) throw error;
    });
  }

  async #change(names: readonly string[], random: () => number): Promise<void> {
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
    const name = pick(names);
    const hosts = [`ns1.${name}`, `ns2.${name}`, 'ns1.example.net', 'ns2.example.net', 'ns.õun.ee'];
    const some = () => hosts.filter(() => random() < 0.4);
    await pick([
      () => this.create(name, some()),
      () => this.create(name, some()),
      () => this.remove(name),
      () => this.setStatuses(name, pick([{}, {}, { clientHold: '' }, { serverHold: '', expired: '' }])),
      () => this.renew(name),
      () => this.replaceHosts(name, some()),
      () => this.replaceHosts(name, some()),
      () => this.setAddress(name, pick(['192.0.2.7', '2001:db8::7', '2001:db8::8'])),
      () => this.setKey(name, pick([256, 257]), Math.floor(random() * 2)),
      () => this.removeKeys(name),
    ])();
  }

  async #registrantId(): Promise<number> {
    if (this.#registrant === 0)
      this.#registrant = (
        await this.#db.one(sql<{ id: number }>`
          insert into contacts (registrar_id, code, code_key, name, name_key, email, phone, ident, ident_type, ident_country_code, auth_info, created_at, updated_at)
          select id, 'ZONE:1', 'zone:1', 'Zone', 'zone', 'z@example.ee', '+372.5', '12345678', 'org', 'EE', 'x', now(), now()
          from registrars order by id limit 1
          on conflict (code_key) do update set name = excluded.name returning id`)
      ).id;
    return this.#registrant;
  }
}
