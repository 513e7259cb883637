import { consolePages } from '../../src/doors/console/pages.ts';
import { alpha } from '../support/client.ts';
import { PEOPLE } from '../support/console.ts';
import { consoleObjects } from '../support/console-objects.ts';
import { createContact } from '../support/contacts.ts';
import { KEY, Registrant } from '../support/domains.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';
import { closeBrowser } from './browser.ts';

/** In which the pages are looked at, each page in one of them. */
export const VARIANTS = [
  { lang: 'en', width: 1280, colorScheme: 'light' },
  { lang: 'en', width: 320, colorScheme: 'dark' },
  { lang: 'et', width: 1280, colorScheme: 'dark' },
  { lang: 'et', width: 320, colorScheme: 'light' },
] as const;

const ORGANISATION = { ident: '12345678', ident_type: 'org', ident_country_code: 'EE' };

/** A console that has something to show on every page, with long names. */
export class ConsoleShowcase {
  readonly registry: TestRegistry;
  /** By the parameters of the console's addresses. */
  readonly objects: Readonly<Record<string, string>>;

  private constructor(registry: TestRegistry, objects: Readonly<Record<string, string>>) {
    this.registry = registry;
    this.objects = objects;
  }

  static async open(): Promise<ConsoleShowcase> {
    const registry = await startRegistry();
    const client = alpha(registry.url);
    const company = { name: 'Õnneliku Kodu & Ülla Aia Osaühing '.repeat(5).trim(), ident: ORGANISATION };
    const owner = await Registrant.of(client, company);
    await owner.register({ name: 'esimene.ee', dnskeys_attributes: [KEY] });
    const held = await owner.register({ name: `${'pikk-nimi-'.repeat(5)}a.ee` });
    await registry.sql.run(sql`
      update domains set statuses = '{"clientHold": "", "serverForceDelete": "", "serverRenewProhibited": ""}' where name = ${held}`);
    await registry.sql.run(sql`
      insert into allowed_addresses (registrar_id, range, note, created_at) select id, '127.0.0.0/8', 'kontor', now() from registrars where code = 'ALPHA'`);
    const { id } = await registry.sql.one(sql<{ id: number }>`
      insert into poll_messages (registrar_id, type, text, created_at, attached_obj_type, attached_obj_id, details)
      select registrar_id, 'status_set', 'clientHold set on domain ' || name || ' by the registry', now(), 'Domain', id,
        jsonb_build_object('kind', 'change', 'object', 'domain', 'name', name, 'operation', 'update', 'at', now(), 'who', 'operator:registry', 'reason', 'court order', 'requestId', null)
      from domains where name = ${held} returning id`);
    const others = await consoleObjects(registry);
    const code = await createContact(client, company);
    return new ConsoleShowcase(registry, { ...others, name: held, code, id: String(id) });
  }

  /** With the browser that has looked at it. */
  async close(): Promise<void> {
    await Promise.all([closeBrowser(), this.registry.stop()]);
  }

  /** The next login has this language. */
  async speak(lang: string): Promise<void> {
    await this.registry.sql.run(
      sql`update people set language = ${lang} where email_key = ${PEOPLE.alpha[0]}`,
    );
  }

  /** The pages that are looked at in a variant. */
  addressesIn(variant: (typeof VARIANTS)[number]): string[] {
    return consolePages
      .filter((_, index) => VARIANTS[index % VARIANTS.length] === variant)
      .map(({ path }) => this.#addressOf(path));
  }

  #addressOf(path: string): string {
    const filled = path.replaceAll(/:(\w+)/g, (_, name: string) =>
      encodeURIComponent(this.objects[name] ?? ''),
    );
    return `${this.registry.url}/console${filled}`;
  }
}
