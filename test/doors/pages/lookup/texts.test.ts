import { describe, expect, test } from 'vitest';
import { statusTexts } from '../../../../src/doors/html/status-texts.ts';
import { situationDetails, situationOf } from '../../../../src/doors/pages/lookup/domain-situation.ts';
import { textsIn } from '../../../../src/doors/pages/lookup/lookup-frame.ts';
import { meantName } from '../../../../src/doors/pages/lookup/lookup-page.ts';
import type { SituationDetails } from '../../../../src/doors/pages/lookup/lookup-texts.ts';
import { ee } from '../../../../src/policy/ee.ts';
import { storedStatuses } from '../../../../src/registry/domains/rules/domain-statuses.ts';
import { MAX_MESSAGE, MAX_SENDER_NAME, MIN_MESSAGE } from '../../../../src/registry/lookup/message-fields.ts';

const LANGUAGES = ['en', 'et'] as const;

describe.each(LANGUAGES)('the texts in %s', (lang) => {
  const texts = textsIn(lang);
  const statuses = statusTexts(lang);

  test('success: every status has a title and an explanation', () => {
    const all = [...storedStatuses, 'ok', 'inactive', 'disputed'].sort();
    expect(Object.keys(statuses).sort()).toEqual(all);
    for (const { title, explanation } of Object.values(statuses)) {
      expect(title.length).toBeGreaterThan(3);
      expect(explanation).toMatch(/^\p{Lu}.{15,}\.$/u);
    }
  });

  test('success: the maximum lengths of the form are those of the rules', () => {
    const { hints, faults } = texts.message;
    const digits = (text: string) => text.replaceAll(/(?<=\d),(?=\d)/g, '');
    expect(digits(hints.message)).toContain(String(MIN_MESSAGE));
    expect(digits(hints.message)).toContain(String(MAX_MESSAGE));
    expect(digits(faults.message.tooLong)).toContain(String(MAX_MESSAGE));
    expect(faults.message.tooShort).toContain(String(MIN_MESSAGE));
    expect(faults.senderName.tooLong).toContain(String(MAX_SENDER_NAME));
  });

  test('success: sentences are complete, whichever dates are known', () => {
    const flags = ['isGoingToBeDeleted', 'isDelegated', 'isRenewable', 'isHeldByRegistrar', 'isDisputed'];
    for (const [, advice] of Object.values(texts.situations))
      for (const outzone of [undefined, '1 May 2030'])
        for (const deletion of [undefined, '31 May 2030'])
          for (let bits = 0; bits < 2 ** flags.length; bits++) {
            const given = flags.map((flag, place) => [flag, (bits & (1 << place)) > 0] as const);
            const said = advice({ outzone, deletion, ...Object.fromEntries(given) } as SituationDetails);
            expect(said).toMatch(/^\p{Lu}.*\.$/u);
            expect(said).not.toMatch(/ {2}| [.,]|undefined|[.,]{2}|\.\p{L}|false/u);
          }
  });

  test('success: no two statuses have the same title', () => {
    const titles = Object.values(statuses).map(({ title }) => title);
    expect(titles).toEqual([...new Set(titles)]);
  });

  test('success: the other language has other words', () => {
    const other = statusTexts(lang === 'en' ? 'et' : 'en');
    for (const [status, { explanation }] of Object.entries(statuses))
      expect([status, Object.values(other).some((each) => each.explanation === explanation)]).toEqual([
        status,
        false,
      ]);
  });
});

test.each([
  [['ok'], true, 'working'],
  [['clientTransferProhibited', 'disputed'], true, 'working'],
  [['inactive'], false, 'unused'],
  [['clientHold'], false, 'held'],
  [['serverHold'], false, 'held'],
  [['expired'], true, 'expired'],
  [['expired', 'inactive'], false, 'expired'],
  [['expired', 'serverHold'], false, 'stopped'],
  [['expired', 'serverForceDelete'], true, 'forced'],
  [['pendingDelete', 'serverHold'], false, 'redemption'],
  [['deleteCandidate', 'expired', 'serverHold'], false, 'leaving'],
] as const)('success: of %j the most important is shown', (statuses, isDelegated, situation) => {
  expect(situationOf({ statuses, isDelegated })).toBe(situation);
});

describe('what an expired domain waits for', () => {
  const DATES = { outzoneAt: '2030-04-30T21:00:00Z', deleteDate: '2030-05-31' };
  const said = (lang: 'en' | 'et', ...statuses: string[]) => {
    const isDelegated = !statuses.some((status) => status.endsWith('Hold'));
    const domain = { statuses, isDelegated, ...DATES };
    const [what, advice] = textsIn(lang).situations[situationOf(domain)];
    return `${what} ${advice(situationDetails(domain, { lang, policy: ee }))}`;
  };

  test('success: a renewal does not end a hold of the registrar', () => {
    expect(said('en', 'expired', 'serverHold')).toMatch(/renew it: then it works again/);
    expect(said('en', 'expired', 'clientHold')).toMatch(/renew it\. A renewal does not end the hold/);
    expect(said('et', 'expired', 'clientHold')).toMatch(/Pikendamine ei lõpeta peatamist/);
  });

  test('success: a domain that is kept in the zone does not stop working', () => {
    expect(said('en', 'expired')).toMatch(/stops working on 1 May 2030 and is deleted on 31 May 2030/);
    expect(said('en', 'expired', 'serverManualInzone')).toMatch(/expired\. It is deleted on 31 May 2030,/);
    expect(said('et', 'expired', 'serverManualInzone')).not.toContain('lakkab töötamast');
    expect(said('en', 'pendingDelete', 'serverManualInzone')).toMatch(/It still works, but is removed/);
  });

  test('success: a domain that may not be released is not deleted', () => {
    for (const further of [[], ['serverHold'], ['serverManualInzone']]) {
      expect(said('en', 'expired', 'serverReleaseProhibited', ...further)).not.toMatch(/is deleted|going to/);
      expect(said('et', 'expired', 'serverReleaseProhibited', ...further)).not.toMatch(/kustutatakse|ootab/);
    }
    expect(said('en', 'pendingDelete', 'serverHold', 'serverReleaseProhibited')).toContain(
      'The registry keeps it from being removed.',
    );
  });

  test('success: a disputed name does not become free', () => {
    expect(said('en', 'deleteCandidate')).toContain('can be registered again');
    expect(said('en', 'deleteCandidate', 'disputed')).not.toContain('can be registered again');
    expect(said('et', 'deleteCandidate', 'disputed')).not.toContain('uuesti registreerida');
  });
});

test.each([
  ['https://www.maasikas.ee/pood?x=1', 'maasikas.ee'],
  ['www.maasikas.ee', 'maasikas.ee'],
  ['mari@maasikas.ee', 'maasikas.ee'],
  ['a.b.pood.com.ee', 'pood.com.ee'],
  ['Maasikas', 'maasikas.ee'],
  ['õunaaed', 'õunaaed.ee'],
  ['maasikas.ee:8080', 'maasikas.ee'],
  ['http://maasikas.ee.', 'maasikas.ee'],
  ['maasikas.com', undefined],
  ['-maasikas', undefined],
  ['://', undefined],
  ['a b', undefined],
])('success: a search for %s may have meant %s', (asked, meant) => {
  expect(meantName(asked, ee)?.unicode).toBe(meant);
});
