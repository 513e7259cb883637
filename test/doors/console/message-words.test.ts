import { describe, expect, test } from 'vitest';
import { estonianMessages } from '../../../src/doors/console/messages/estonian-message-texts.ts';
import { messageWords } from '../../../src/doors/console/messages/message-words.ts';
import { fillIn, PLACEHOLDER } from '../../../src/platform/values/placeholders.ts';
import { policy } from '../../../src/policy/installed.ts';
import { messageKinds, type MessageType, messageTypes } from '../../../src/registry/poll/send-messages.ts';

const namesIn = (text: string) => Array.from(text.matchAll(PLACEHOLDER), ([, name = '']) => name);

describe('messages in words of their reader', () => {
  test.each(messageTypes)(
    'success: %s is read from its stored text and told without places left over',
    (type) => {
      const { text } = messageKinds[type];
      const values = Object.fromEntries(namesIn(text).map((name) => [name, `<${name}>`]));
      expect(namesIn(text)).toEqual(expect.arrayContaining(namesIn(estonianMessages[type])));
      expect(messageWords({ type, text: fillIn(text, values) }, 'et', policy)).toMatchObject({
        lang: 'et',
        text: fillIn(estonianMessages[type], values),
      });
    },
  );

  test('success: amounts, days, months and times are written as in Estonian', () => {
    const written = (type: (typeof messageTypes)[number], text: string) =>
      messageWords({ type, text }, 'et', policy).text;
    expect(
      written(
        'statement_ready',
        'The statement of your account for 2030-01 is ready: opening balance -1234.50 EUR, closing balance 7.00 EUR',
      ),
    ).toBe('Konto väljavõte on valmis: jaanuar 2030, algsaldo −1\u00a0234,50\u00a0€, lõppsaldo 7,00\u00a0€');
    expect(
      written(
        'expired',
        'Domain a.ee has expired. It leaves the zone at 2030-01-16 00:00 and is deleted on 2030-02-16. It cannot be renewed',
      ),
    ).toBe(
      'Domeen a.ee on aegunud. See eemaldatakse tsoonist 16. jaanuar 2030 00:00 ja kustutatakse 16. veebruar 2030. Seda ei saa pikendada',
    );
    expect(
      written(
        'certificate_expiring',
        'Certificate 17 of user alpha expires at 2030-01-15T22:00:00.000Z; without another certificate this user cannot log in after that',
      ),
    ).toContain('aegub 16. jaan 2030');
  });

  test.each<[MessageType, Record<string, string>, en: string, et: string]>([
    [
      'expired',
      {
        name: 'a.ee',
        outzone: '2030-01-16 00:00',
        deletion: '2030-02-16',
        renewal: 'A renewal before that keeps it',
      },
      'Domain a.ee has expired. It leaves the zone at 16 January 2030 00:00 and is deleted on 16 February 2030. A renewal before that keeps it',
      'Domeen a.ee on aegunud. See eemaldatakse tsoonist 16. jaanuar 2030 00:00 ja kustutatakse 16. veebruar 2030. Kui pikendad enne seda, jääb domeen sulle',
    ],
    [
      'force_delete_set',
      {
        name: 'a.ee',
        kind: 'fast track',
        reason: 'court order 7',
        dates: 'It begins on 2030-01-16, the domain is deleted on 2030-02-16',
      },
      'Forced deletion of domain a.ee (fast): court order 7. It begins on 16 January 2030, the domain is deleted on 16 February 2030',
      'Domeenile a.ee määrati sundkustutamine (kiirkorras): court order 7. See algab 16. jaanuar 2030 ja domeen kustutatakse 16. veebruar 2030',
    ],
    [
      'status_set',
      { name: 'a.ee', status: 'serverHold' },
      'The registry set a status on domain a.ee: On hold by the registry',
      'Register määras domeenile a.ee oleku: Registri peatatud',
    ],
    [
      'update_failed',
      { name: 'a.ee', reason: 'Object status prohibits operation: serverUpdateProhibited' },
      'Registrant confirmed domain update, but it could not be done: a.ee. The status forbids it: Changes locked by the registry',
      'Registreerija kinnitas domeeni a.ee muudatuse, kuid seda ei saanud teha. Olek ei luba seda: Register on muutmise keelanud',
    ],
    [
      'deletion_failed',
      { name: 'a.ee', reason: 'Something of a later version' },
      'Registrant confirmed domain deletion, but it could not be done: a.ee. Something of a later version',
      'Registreerija kinnitas domeeni a.ee kustutamise, kuid seda ei saanud teha. Something of a later version',
    ],
    [
      'request_withdrawn',
      { name: 'soft.ee', reason: 'the domain is about to be deleted' },
      'The registrant is no longer asked about domain soft.ee: the domain is about to be deleted',
      'Registreerijalt ei küsita enam kinnitust domeeni soft.ee kohta: domeen kustutatakse kohe',
    ],
    [
      'webhook_disabled',
      { endpoint: 'whe_1', reason: 'every attempt has failed for 5 days' },
      'Webhook endpoint whe_1 was disabled: every attempt has failed for 5 days. Its events are kept for a while; enable it and have them sent again',
      'Veebihaak whe_1 on välja lülitatud: ükski katse pole 5 päeva õnnestunud. Selle sündmusi hoitakse mõnda aega alles; lülita veebihaak sisse ja saada need uuesti',
    ],
    [
      'balance_credited',
      { amount: '1500.00', currency: 'EUR', cause: 'Top-up by invoice 150008', balance: '97359.00' },
      '€1,500.00 were credited to your account: Top-up by invoice 150008. Its balance is €97,359.00',
      'Kontole lisati 1\u00a0500,00\u00a0€: ettemaks arvega 150008. Saldo on 97\u00a0359,00\u00a0€',
    ],
    [
      'balance_debited',
      { amount: '5.00', currency: 'USD', cause: 'Correction: a mistake', balance: '7.00' },
      '5.00 USD were taken from your account: Correction: a mistake. Its balance is 7.00 USD',
      'Kontolt võeti 5.00 USD: parandus: a mistake. Saldo on 7.00 USD',
    ],
  ])(
    'success: %s with its reasons, dates and amounts as they are read',
    (type, values, english, estonian) => {
      const text = fillIn(messageKinds[type].text, values);
      expect(messageWords({ type, text }, 'en', policy)).toMatchObject({ lang: 'en', text: english });
      expect(messageWords({ type, text }, 'et', policy)).toMatchObject({ lang: 'et', text: estonian });
    },
  );

  test('failure: a text of another form stays as it is stored, in English', () => {
    for (const [lang, text] of [
      ['et', 'Domain a.ee'],
      ['et', ''],
      ['et', 'Domain a.ee has left the zone!'],
      ['en', 'Domain a.ee has left the zone'],
    ] as const)
      expect(messageWords({ type: 'outzoned', text }, lang, policy)).toMatchObject({ lang: 'en', text });
  });
});
