import { describe, expect, test } from 'vitest';
import type { Sql } from '../../../src/platform/sql/executor.ts';
import type { Statement } from '../../../src/platform/sql/statement.ts';
import { ee } from '../../../src/policy/ee.ts';
import type { ContactText } from '../../../src/registry/contacts/contact-fields.ts';
import { lookUpDomain, type ShownDomain } from '../../../src/registry/lookup/look-up-domain.ts';
import { PUBLIC } from '../../../src/registry/lookup/viewer.ts';
import { coreForThisFile } from '../../support/core.ts';
import { recordingSql } from '../../support/recorder.ts';

const core = coreForThisFile();

async function shown(db: Sql, name: string): Promise<ShownDomain> {
  const found = await lookUpDomain(db, name, { viewer: PUBLIC, now: new Date(), policy: ee });
  if (found.result !== 'registered') throw new Error(`${name} is ${found.result}`);
  return found.domain;
}

/** The answer of the database, without values that differ between any two domains. */
async function answerAbout(name: string) {
  const sent: Statement[] = [];
  const db = recordingSql(core.database.reads, (statement) => sent.push(statement));
  const domain = await shown(db, name);
  const [statement] = sent;
  if (!statement || sent.length > 1) throw new Error('a look-up is one statement');
  const times = /"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"/g;
  const answer = JSON.stringify(await core.database.reads.rows(statement))
    .replaceAll(name, 'name')
    .replace(`"id":${domain.id}`, '"id":0')
    .replaceAll(times, '"time"');
  return { domain, answer };
}

const LONG = {
  name: 'Õ'.repeat(200),
  email: `${'m'.repeat(60)}@example.ee`,
  address: { street: ['Pikk tänav 1', 'Maja 2'], city: 'Tallinn', postalCode: '10000', countryCode: 'EE' },
};

describe('the cost of a public look-up', () => {
  test('success: it reads the same bytes, whatever is hidden', async () => {
    const context = await core.context('alpha');
    const contacts = (count: number, changes: ContactText) =>
      Promise.all(Array.from({ length: count }, () => core.contact(context, changes)));
    const none = await answerAbout(await core.domain(context));
    for (const [admins, techs, changes] of [
      [1, 1, {}],
      [10, 10, {}],
      [10, 10, LONG],
    ] as const) {
      const [registrant] = await contacts(1, changes);
      const links = { admins: await contacts(admins, changes), techs: await contacts(techs, changes) };
      const name = await core.domain(context, { ...links, registrant: registrant ?? '' });
      const hidden = await answerAbout(name);
      expect(hidden.answer).toBe(none.answer);
    }
    // Shown values are read: the comparison detects the difference.
    const [shownTech] = await contacts(1, {
      ident: { ident: '12345678', type: 'org', countryCode: 'EE' },
    });
    const other = await answerAbout(await core.domain(context, { techs: [shownTech ?? ''] }));
    expect(other.domain.contacts.map(({ role }) => role)).toEqual(['registrant', 'tech']);
    expect(other.answer).not.toBe(none.answer);
  });
});
