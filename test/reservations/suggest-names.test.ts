import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { ee } from '../../src/policy/ee.ts';
import type { Policy } from '../../src/policy/policy.ts';
import { parseDomainName } from '../../src/registry/names/name.ts';
import { suggest, variantsOf } from '../../src/reservations/suggest-names.ts';
import { Recorder } from '../performance/plans.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';

const oneZone: Policy = { ...ee, zones: ee.zones.filter(({ origin }) => origin === 'ee') };
const variants = (name: string) => variantsOf(name, oneZone);

describe('variants in one zone', () => {
  test.each([
    ['Test Company AS', ['testcompany.ee', 'test-company.ee']],
    ['Foo AS OÜ', ['foo.ee']],
    ['Foo OÜ AS', ['foo.ee']],
    ['OÜ Foo', ['foo.ee']],
    ['AS OÜ Foo FIE SA', ['foo.ee']],
    ['Foo MTU', ['foo.ee']],
    ['Foo mtü', ['foo.ee']],
    ['Foo SA', ['foo.ee']],
    ['Foo TÜ', ['foo.ee']],
    ['Foo UU', ['foo.ee']],
    ['KÜ Kase 5', ['kase5.ee', 'kase-5.ee']],
    ['Foo TulÜ', ['foo.ee']],
    ['Foo Osaühing', ['foo.ee']],
    ['OSAUHING Foo', ['foo.ee']],
    ['Foo aktsiaselts', ['foo.ee']],
    ['Mari Maasikas füüsilisest isikust ettevõtja', ['marimaasikas.ee', 'mari-maasikas.ee']],
    ['Fuusilisest  isikust\tettevotja Mari', ['mari.ee']],
    ['Foo mittetulundusühing', ['foo.ee']],
    ['Sihtasutus Foo', ['foo.ee']],
    ['Täisühing Foo', ['foo.ee']],
    ['Usaldusuhing Foo', ['foo.ee']],
    ['Korteriühistu Kase 5', ['kase5.ee', 'kase-5.ee']],
    ['Foo Tulundusühistu', ['foo.ee']],
    ['Kass-ja Koer OÜ', ['kassjakoer.ee', 'kass-ja-koer.ee']],
    ['Foo-Bar', ['foobar.ee', 'foo-bar.ee']],
    ['Foo - OÜ', ['foo.ee']],
    ['-Foo--Bar-', ['foobar.ee', 'foo-bar.ee']],
    ['  Foo \u00a0 Bar  ', ['foobar.ee', 'foo-bar.ee']],
    ['Õnne ÄÖÜ Šokolaad Žanr', ['õnneäöüšokolaadžanr.ee', 'õnne-äöü-šokolaad-žanr.ee']],
    ['O\u0303nne', ['õnne.ee']],
    ['24 tundi', ['24tundi.ee', '24-tundi.ee']],
  ])('success: %s', (name, expected) => {
    expect(variants(name)).toEqual(expected);
  });

  test.each([
    ['inside a word', 'Kassas', ['kassas.ee']],
    ['at the end of a word', 'KassOÜ', ['kassoü.ee']],
    ['bound by a hyphen', 'Foo-AS', ['fooas.ee', 'foo-as.ee']],
    ['between other words', 'Foo AS Bar', ['fooasbar.ee', 'foo-as-bar.ee']],
    ['in part', 'Isikust ettevõtja', ['isikustettevõtja.ee', 'isikust-ettevõtja.ee']],
  ])('success: a legal form %s stays', (_where, name, expected) => {
    expect(variants(name)).toEqual(expected);
  });

  test.each([
    ['AS', ['as.ee']],
    ['OÜ', ['oü.ee']],
    ['AS OÜ', ['as.ee']],
    ['AS AS AS', ['as.ee']],
    ['Füüsilisest isikust ettevõtja', ['füüsilisestisikustettevõtja.ee', 'füüsilisest-isikust-ettevõtja.ee']],
  ])('success: a name of legal forms only is not emptied: %s', (name, expected) => {
    expect(variants(name)).toEqual(expected);
  });
});

describe('what cannot be registered is not suggested', () => {
  test.each([
    ['Cyrillic', 'Кафе OÜ'],
    ['a character of another language', 'Café OÜ'],
    ['hyphens alone', '- -- -'],
    ['nothing', '   '],
    ['64 characters', 'x'.repeat(64)],
    ['a character that grows in punycode', `${'õ'.repeat(60)} OÜ`],
  ])('failure: %s', (_what, name) => {
    expect(variantsOf(name, ee)).toEqual([]);
  });

  test('success: 63 characters fit, and a hyphen that makes 64 does not', () => {
    const [one, other] = ['x'.repeat(31), 'y'.repeat(32)];
    expect(variants(`${one} ${other}`)).toEqual([`${one}${other}.ee`]);
  });

  test('failure: the name of a zone', () => {
    expect(variantsOf('Med OÜ', ee)).toEqual(['med.com.ee', 'med.pri.ee', 'med.fie.ee', 'med.med.ee']);
  });

  test('success: for any name, each variant could be registered', () => {
    const odd = [
      'Xn  Foo',
      'Ab- -Cd',
      'ǅ',
      'İstanbul',
      'ﬁrma',
      '１２',
      'ß',
      'a\u200db',
      '٣',
      'Ⅷ OÜ',
      'A'.repeat(100),
    ];
    for (const name of odd)
      for (const variant of variantsOf(name, ee))
        expect(parseDomainName(variant, ee)?.unicode, name).toBe(variant);
  });
});

describe('zones', () => {
  const origins = ['ee', 'com.ee', 'pri.ee', 'fie.ee', 'med.ee'];

  test('success: the joined name in every zone, then the hyphenated one', () => {
    expect(variantsOf('Foo Bar OÜ', ee)).toEqual([
      ...origins.map((zone) => `foobar.${zone}`),
      ...origins.map((zone) => `foo-bar.${zone}`),
    ]);
  });

  test('success: a zone can be left out by the policy', () => {
    const zones = ee.zones.map((zone) => ({ ...zone, suggest: zone.origin !== 'med.ee' }));
    expect(variantsOf('Foo', { ...ee, zones })).toEqual(origins.slice(0, 4).map((zone) => `foo.${zone}`));
  });
});

describe('only available names', () => {
  let registry: TestRegistry;
  beforeAll(async () => {
    registry = await startRegistry();
  });
  afterAll(() => registry.stop());

  test('success: reserved and blocked names are left out, by one statement for all', async () => {
    const now = new Date();
    const { sql: db } = registry;
    await db.run(sql`insert into blocked_names (name, created_at) values ('uus-kohv.ee', ${now})`);
    await db.run(sql`insert into reserved_names (name, code, expires_at, created_at) values
      ('uuskohv.ee', 'x', null, ${now}), ('uuskohv.com.ee', 'x', ${new Date(now.getTime() + 1000)}, ${now}),
      ('uuskohv.pri.ee', 'x', ${now}, ${now})`);
    await db.run(sql`insert into disputes (name, code, starts_at, expires_at)
      values ('uuskohv.fie.ee', 'x', ${now}, ${new Date(now.getTime() + 86_400_000)})`);
    const recorder = new Recorder({ ...inject('server'), database: registry.databaseName });
    onTestFinished(() => recorder.close());
    let names: string[] = [];
    const statements = await recorder.statementsOf(async (recorded) => {
      names = await suggest(recorded, 'Uus Kohv OÜ', { policy: ee, now });
    });
    expect(names).toEqual([
      'uuskohv.pri.ee',
      'uuskohv.med.ee',
      'uus-kohv.com.ee',
      'uus-kohv.pri.ee',
      'uus-kohv.fie.ee',
      'uus-kohv.med.ee',
    ]);
    expect(statements).toHaveLength(1);
  });
});
