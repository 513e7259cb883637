import { describe, expect, test } from 'vitest';
import { answerOf } from '../../../../src/operations/run-operation.ts';
import { sql } from '../../../../src/platform/sql/statement.ts';
import { ee } from '../../../../src/policy/ee.ts';
import {
  changeNameserverLists,
  checkListChange,
  type NameserverListChange,
  withNameserverList,
} from '../../../../src/registry/domains/bulk/change-nameserver-lists.ts';
import type { Nameserver } from '../../../../src/registry/domains/rules/parse-nameservers.ts';
import { coreForThisFile } from '../../../support/core.ts';
import { domainOf, nameAndPlace, nameserver } from '../../../support/decisions.ts';

const hosts = (...names: string[]) => names.map((name) => nameserver(name));
const [A, B, C, D] = ['a.example.net', 'b.example.net', 'c.example.net', 'd.example.net'] as const;

describe('the whole list of one domain', () => {
  const after = (present: Nameserver[], change: NameserverListChange) =>
    withNameserverList(domainOf({ nameservers: present }), change).nameservers.map(
      ({ hostname }) => hostname,
    );
  const refused = (present: Nameserver[], change: NameserverListChange) =>
    checkListChange(domainOf({ nameservers: present }), change, ee).map(nameAndPlace);

  test.each<[string, NameserverListChange, string[]]>([
    ['set', { remove: 'all', add: hosts(C, D) }, [C, D]],
    ['set to what it has in part', { remove: 'all', add: hosts(B, C) }, [B, C]],
    ['added to', { remove: [], add: hosts(C) }, [A, B, C]],
    ['added to with what it has', { remove: [], add: hosts(B, C) }, [A, B, C]],
    ['replaced in part', { remove: [A], add: hosts(C) }, [B, C]],
    ['replaced, of which it has one alone', { remove: [A, D], add: hosts(C) }, [B, C]],
  ])('success: %s', (_how, change, expected) => {
    expect(after(hosts(A, B), change)).toEqual(expected);
    expect(refused(hosts(A, B), change)).toEqual([]);
  });

  test('success: hosts are removed that it has', () => {
    expect(after(hosts(A, B, C), { remove: [C, D], add: [] })).toEqual([A, B]);
    expect(refused(hosts(A, B, C), { remove: [C, D], add: [] })).toEqual([]);
  });

  test.each<[string, NameserverListChange]>([
    ['the same list in another order', { remove: 'all', add: hosts(B, A) }],
    ['hosts that it has', { remove: [], add: hosts(A) }],
    ['without hosts that it has not', { remove: [C], add: [] }],
    ['replaced already', { remove: [C], add: hosts(A, B) }],
  ])('success: nothing is different: %s', (_what, change) => {
    const domain = domainOf({ nameservers: hosts(A, B), statuses: { serverUpdateProhibited: '' } });
    expect(withNameserverList(domain, change)).toBe(domain);
    expect(checkListChange(domain, change, ee)).toEqual([]);
  });

  test('success: a host of the domain itself gets other addresses', () => {
    const own = 'ns.example.ee';
    const domain = domainOf({ nameservers: [nameserver(own, ['192.0.2.1']), nameserver(A)] });
    const changed = withNameserverList(domain, { remove: [], add: [nameserver(own, ['192.0.2.9'])] });
    expect(changed.nameservers).toEqual([nameserver(A), nameserver(own, ['192.0.2.9'])]);
  });

  test.each<[string, NameserverListChange, ReturnType<typeof refused>]>([
    ['none of the replaced', { remove: [C], add: hosts(D) }, [['nameserverNotLinked', null]]],
    ['too few left', { remove: [A], add: [] }, [['nameserverCount', 'nameservers']]],
    [
      'too many',
      { remove: [], add: hosts(...Array.from({ length: 10 }, (_, place) => `n${place}.example.net`)) },
      [['nameserverCount', 'nameservers']],
    ],
    [
      'a host of its own without an address',
      { remove: [], add: hosts('ns.example.ee') },
      [['glueMissing', 'add.nameservers.0']],
    ],
    [
      'an address that cannot be published',
      { remove: [], add: [nameserver('ns.example.ee', ['127.0.0.1'])] },
      [['wrongSyntax', 'add.nameservers.0.ipv4.0']],
    ],
  ])('failure: %s', (_what, change, expected) => {
    expect(refused(hosts(A, B), change)).toEqual(expected);
  });

  test('failure: its status forbids it', () => {
    const domain = domainOf({ nameservers: hosts(A, B), statuses: { clientUpdateProhibited: '' } });
    expect(checkListChange(domain, { remove: 'all', add: hosts(C, D) }, ee).map(nameAndPlace)).toEqual([
      ['statusProhibits', null],
    ]);
  });
});

describe('the lists of many domains', () => {
  const core = coreForThisFile();
  const hostsOf = async (name: string) =>
    (
      await core.database.reads.rows(sql<{ hostname: string }>`
        select n.hostname from domain_nameservers n join domains d on d.id = n.domain_id where d.name = ${name} order by n.id`)
    ).map(({ hostname }) => hostname);

  test('success: each succeeds or fails by itself, in the order of the names', async () => {
    const [alpha, beta] = [await core.context('alpha'), await core.context('beta')];
    const old = { nameservers: hosts(A, B) };
    const names = [
      await core.domain(alpha, old),
      await core.domain(beta, old),
      await core.domain(alpha, { nameservers: hosts(C, D) }),
      'nobody-has-this.ee',
      await core.domain(alpha, old),
    ];
    const [first = '', foreign = '', same = '', , last = ''] = names;
    const change = { names, remove: 'all', add: hosts(C, D) } as const;
    const dry = answerOf(await changeNameserverLists(core.database, change, { ...alpha, dryRun: true }));
    expect(await hostsOf(first)).toEqual([A, B]);
    const results = answerOf(await changeNameserverLists(core.database, change, alpha));
    expect(results).toEqual(dry);
    expect(
      results.map((row) => [row.name, row.outcome === 'refused' ? row.refusal.name : row.outcome]),
    ).toEqual([
      [first, 'changed'],
      [foreign, 'notSponsor'],
      [same, 'unchanged'],
      ['nobody-has-this.ee', 'bodyObjectMissing'],
      [last, 'changed'],
    ]);
    expect(await Promise.all(names.map(hostsOf))).toEqual([[C, D], [A, B], [C, D], [], [C, D]]);
    const history = await core.database.reads.rows(sql<{ name: string }>`
      select object_name as name from history where request_id = ${alpha.requestId} and operation = 'update' order by id`);
    expect(history.map(({ name }) => name)).toEqual([first, last]);
  });

  test.each<[string, NameserverListChange, string]>([
    ['a host twice', { remove: [], add: hosts(A, A) }, 'nameserverTaken'],
    ['a list that no domain can have', { remove: 'all', add: hosts(A) }, 'nameserverCount'],
  ])('failure: %s refuses the whole', async (_what, change, name) => {
    const alpha = await core.context('alpha');
    const refused = changeNameserverLists(core.database, { ...change, names: [] }, alpha);
    await expect(refused).rejects.toMatchObject({ refusals: [{ name }] });
  });
});
