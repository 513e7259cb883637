import { afterAll, beforeAll } from 'vitest';
import { answerOf } from '../../src/operations/run-operation.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { sql } from '../../src/platform/sql/statement.ts';
import { dayIn } from '../../src/platform/values/dates.ts';
import { ee } from '../../src/policy/ee.ts';
import type { Principal } from '../../src/registry/actor.ts';
import { type ContactText, parseNewContact } from '../../src/registry/contacts/contact-fields.ts';
import { createContact } from '../../src/registry/contacts/create-contact.ts';
import { createDomain, type NewDomain } from '../../src/registry/domains/create-domain.ts';
import { parseDomainName } from '../../src/registry/names/name.ts';
import type { Context, Operation, Plan } from '../../src/registry/operation.ts';
import { runRegistryOperation } from '../../src/registry/run-registry-operation.ts';
import { freshCode } from './contacts.ts';
import { taken } from './decisions.ts';
import { openTestDatabase } from './registry.ts';

/** The core on a real database, without an interface in front of it. */
export type Core = {
  readonly database: Database;
  /** A request of the user of this name in the seeded data, as it comes through EPP. */
  context(username: string, changes?: Partial<Context>): Promise<Context>;
  run<Input, Loaded, P extends Plan>(
    operation: Operation<Input, Loaded, P>,
    input: Input,
    context: Context,
  ): Promise<P['answer']>;
  contact(context: Context, changes?: ContactText): Promise<string>;
  domain(context: Context, changes?: Partial<NewDomain>): Promise<string>;
};

let requests = 0;

/** Opened before the tests of this file, closed after them. */
export function coreForThisFile(): Core {
  let opened: Awaited<ReturnType<typeof openTestDatabase>>;
  beforeAll(async () => {
    opened = await openTestDatabase();
  });
  afterAll(() => opened.close());
  const core: Core = {
    get database() {
      const [database] = opened.databases;
      if (!database) throw new Error('no database was opened');
      return database;
    },
    context: async (username, changes = {}) => {
      const found = await core.database.reads.one(sql<Omit<Principal, 'roles' | 'interface'>>`
        select u.id as "userId", u.username, r.id as "registrarId", r.code as "registrarCode", r.name as "registrarName"
        from api_users u join registrars r on r.id = u.registrar_id where u.username = ${username}`);
      const principal: Principal = { ...found, roles: ['super'], interface: 'epp' };
      const requestId = `request-${++requests}`;
      const publicUrl = 'https://registry.example';
      return { principal, now: new Date(), requestId, dryRun: false, policy: ee, publicUrl, ...changes };
    },
    run: async (operation, input, context) =>
      answerOf(await runRegistryOperation(core.database, operation, input, context)),
    contact: async (context, changes = {}) => {
      const code = freshCode();
      const today = dayIn(context.policy.timeZone, context.now);
      const ident = { ident: '60001019906', type: 'priv', countryCode: 'EE' };
      const text = { code, name: 'Mari', email: 'mari@example.ee', phone: '+372.5551234', ident, ...changes };
      await core.run(createContact, taken(parseNewContact(text, context.policy, today)), context);
      return code;
    },
    domain: async (context, changes = {}) => {
      const name = parseDomainName(`${freshCode()}.ee`, context.policy);
      if (!name) throw new Error('a code that is no name');
      const registrant = changes.registrant ?? (await core.contact(context));
      const lists = { admins: [], techs: [], nameservers: [], dnsKeys: [] };
      await core.run(createDomain, { name, registrant, months: 12, ...lists, ...changes }, context);
      return (changes.name ?? name).unicode;
    },
  };
  return core;
}
