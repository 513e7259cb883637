import { describe, expect, test } from 'vitest';
import { estonianMessages } from '../../../src/doors/console/messages/estonian-message-texts.ts';
import { messageWords } from '../../../src/doors/console/messages/message-words.ts';
import { fillIn, PLACEHOLDER } from '../../../src/platform/values/placeholders.ts';
import { policy } from '../../../src/policy/installed.ts';
import { messageKinds, messageTypes } from '../../../src/registry/poll/send-messages.ts';

const namesIn = (text: string) => Array.from(text.matchAll(PLACEHOLDER), ([, name = '']) => name);

describe('messages in Estonian', () => {
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
      'Domeen a.ee on aegunud. See eemaldatakse tsoonist 16. jaanuar 2030 00:00 ja kustutatakse 16. veebruar 2030',
    );
    expect(
      written(
        'certificate_expiring',
        'Certificate 17 of user alpha expires at 2030-01-15T22:00:00.000Z; without another certificate this user cannot log in after that',
      ),
    ).toContain('aegub 16. jaan 2030');
  });

  test('failure: a text of another form, and every text in English, stay as they are stored', () => {
    for (const [lang, text] of [
      ['et', 'Domain a.ee'],
      ['et', ''],
      ['et', 'Domain a.ee has left the zone!'],
      ['en', 'Domain a.ee has left the zone'],
    ] as const)
      expect(messageWords({ type: 'outzoned', text }, lang, policy)).toMatchObject({ lang: 'en', text });
  });
});
